"""Graph algorithms over any hashable nodes: orders, strongly connected components, dominators.

A graph is its successor function; nothing here copies or mutates it. All algorithms are iterative (programs nest
deeper than Python's stack) and deterministic: they follow the order in which the successor function names nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)
Successors = Callable[[N], Iterable[N]]


def postorder(roots: Iterable[N], successors: Successors[N]) -> list[N]:
    """Every node reachable from `roots`, each after the successors that were first reached through it."""
    order: list[N] = []
    seen: set[N] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack: list[tuple[N, Iterator[N]]] = [(root, iter(successors(root)))]
        while stack:
            node, pending = stack[-1]
            for successor in pending:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(successors(successor))))
                    break
            else:
                stack.pop()
                order.append(node)
    return order


def reverse_postorder(roots: Iterable[N], successors: Successors[N]) -> list[N]:
    """A topological order wherever the graph has one; in loops, the header before the body."""
    return postorder(roots, successors)[::-1]


def strongly_connected(nodes: Iterable[N], successors: Successors[N]) -> list[list[N]]:
    """The strongly connected components, each after every component it reaches (callees before callers). Tarjan."""
    index: dict[N, int] = {}
    low: dict[N, int] = {}
    open_nodes: list[N] = []
    is_open: set[N] = set()
    components: list[list[N]] = []
    for root in nodes:
        if root in index:
            continue
        stack: list[tuple[N, Iterator[N]]] = []
        _open(root, index, low, open_nodes, is_open)
        stack.append((root, iter(successors(root))))
        while stack:
            node, pending = stack[-1]
            for successor in pending:
                if successor not in index:
                    _open(successor, index, low, open_nodes, is_open)
                    stack.append((successor, iter(successors(successor))))
                    break
                if successor in is_open:
                    low[node] = min(low[node], index[successor])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    components.append(_close(node, open_nodes, is_open))
    return components


def _open(node: N, index: dict[N, int], low: dict[N, int], open_nodes: list[N], is_open: set[N]) -> None:
    index[node] = low[node] = len(index)
    open_nodes.append(node)
    is_open.add(node)


def _close(root: N, open_nodes: list[N], is_open: set[N]) -> list[N]:
    component = [open_nodes.pop()]
    while component[-1] != root:
        component.append(open_nodes.pop())
    is_open.difference_update(component)
    return component[::-1]


@dataclass(frozen=True, slots=True)
class Dominators(Generic[N]):
    """The dominator tree of the nodes reachable from `entry`."""

    entry: N
    immediate: Mapping[N, N]  # absent for the entry and for unreachable nodes
    depth: Mapping[N, int]

    def dominates(self, above: N, below: N) -> bool:
        """True when every path from the entry to `below` passes `above`; a node dominates itself."""
        if above not in self.depth or below not in self.depth:
            return False
        while self.depth[below] > self.depth[above]:
            below = self.immediate[below]
        return above == below


def dominators(entry: N, successors: Successors[N]) -> Dominators[N]:
    """Cooper, Harvey and Kennedy's simple, fast algorithm."""
    order = reverse_postorder([entry], successors)
    number = {node: position for position, node in enumerate(order)}
    predecessors: dict[N, list[N]] = {node: [] for node in order}
    for node in order:
        for successor in successors(node):
            predecessors[successor].append(node)
    immediate: dict[N, N] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [p for p in predecessors[node] if p in immediate]
            best = known[0]
            for other in known[1:]:
                best = _intersect(best, other, immediate, number)
            if immediate.get(node) != best:
                immediate[node] = best
                changed = True
    del immediate[entry]
    depth = {entry: 0}
    tree: dict[N, N] = {}
    for node in order[1:]:
        tree[node] = immediate[node]
        depth[node] = depth[immediate[node]] + 1
    return Dominators(entry, tree, depth)


def _intersect(a: N, b: N, immediate: Mapping[N, N], number: Mapping[N, int]) -> N:
    while a != b:
        while number[a] > number[b]:
            a = immediate[a]
        while number[b] > number[a]:
            b = immediate[b]
    return a


def natural_loop(header: N, back: Iterable[N], predecessors: Mapping[N, Iterable[N]]) -> set[N]:
    """`header` and everything from which the sources `back` of its back edges are reached without passing it."""
    found = {header, *back}
    work = [node for node in found if node != header]
    while work:
        for node in predecessors.get(work.pop(), ()):
            if node not in found:
                found.add(node)
                work.append(node)
    return found
