from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from ppy_compiler.support.graphs import (
    dominators,
    postorder,
    reverse_postorder,
    strongly_connected,
)

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 9))
    targets = st.lists(st.integers(0, size - 1), max_size=3)
    return {node: draw(targets) for node in range(size)}


def reachable(graph: Graph, start: int, without: int | None = None) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        node = pending.pop()
        if node != without and node not in found:
            found.add(node)
            pending.extend(graph[node])
    return found


def test_postorder_follows_the_order_of_successors() -> None:
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    assert postorder([0], graph.__getitem__) == [3, 1, 2, 0]
    assert reverse_postorder([0], graph.__getitem__) == [0, 2, 1, 3]


def test_deep_graphs_do_not_overflow_the_stack() -> None:
    size = 50_000
    chain = {node: [node + 1] if node < size else [] for node in range(size + 1)}
    assert len(postorder([0], chain.__getitem__)) == size + 1
    assert len(strongly_connected([0], chain.__getitem__)) == size + 1


@given(graphs())
def test_components_are_mutual_reachability_callees_first(graph: Graph) -> None:
    components = strongly_connected(graph, graph.__getitem__)
    assert sorted(node for component in components for node in component) == sorted(graph)
    for position, component in enumerate(components):
        for node in component:
            assert {n for n in reachable(graph, node) if node in reachable(graph, n)} == set(component)
            later = {n for other in components[position + 1 :] for n in other}
            assert not later & reachable(graph, node)


@given(graphs())
def test_dominators_by_definition(graph: Graph) -> None:
    tree = dominators(0, graph.__getitem__)
    nodes = reachable(graph, 0)
    assert set(tree.depth) == nodes

    def cuts(above: int, below: int) -> bool:
        return above == below or below not in reachable(graph, 0, without=above)

    for above in nodes:
        for below in nodes:
            assert tree.dominates(above, below) == cuts(above, below)
    assert not any(tree.dominates(node, 0) for node in nodes - {0})
    assert not tree.dominates(0, -1)
