"""Which operations of a function become one kernel: maximal trees of elementwise operations.

Takes a function's operations and what plugins know of them; gives trees, each a stretch of one block that ends with the
operation whose result is wanted. Between the first and the last operation of a tree there is nothing that anybody could
notice: constants, and the look-ups of the functions that are called. So a tree may be computed in one go before any of
its operations has run, and where that cannot be done nothing has happened yet.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppy_compiler.dialects.py.calls import Call, CallMethod, LoadMethod
from ppy_compiler.dialects.py.names import Const, Drop, LoadGlobal
from ppy_compiler.dialects.tensor import BITS, FLOATS
from ppy_compiler.infer.results import PluggedOperation
from ppy_compiler.ir import Block, Operation, OpResult, Region, Value
from ppy_compiler.plugins.specs import ElementwiseSpec, SumSpec, TensorOperand

MOST_OPERANDS = 24
"""Operands of a kernel (``PPY_MAX_OPERANDS``)."""
FEWEST = 2
"""A single operation is as good in the library."""
NUMBERS = ("float", "int")
"""Operands that are Python's numbers."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """How a value reaches a kernel: as an array of ``element``, whose type the library numbers ``code``, or as a Python
    ``number``, which becomes an ``element``."""

    element: str
    code: int = 0
    number: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a tree: what it computes, and of which values."""

    op: Operation
    spec: ElementwiseSpec | SumSpec
    args: tuple[Value, ...]
    lookup: LoadMethod | LoadGlobal | None
    """What finds the function that is called, or the method; ``None`` for an operator."""
    function: str
    """The dotted name of the library's function whose place somebody may have taken; empty for operators and for
    methods, which an array's class has for good."""


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """``nodes`` and all operations in ``ops`` in the order of the program. ``leaves`` are computed before the tree, and
    handed to the kernel."""

    nodes: tuple[Node, ...]
    ops: tuple[Operation, ...]
    leaves: Mapping[Value, Leaf]

    @property
    def root(self) -> Value:
        return self.nodes[-1].op.results[0]

    @property
    def inner(self) -> list[Value]:
        """What the kernel does not make an array of."""
        return [node.op.results[0] for node in self.nodes[:-1]]


def find_trees(region: Region, plugged: Mapping[Operation, PluggedOperation]) -> list[Tree]:
    """All trees that are worth a kernel; no two share an operation."""
    nodes = {op: node for op, known in plugged.items() if (node := _node(op, known)) is not None}
    if not nodes:
        return []
    return [tree for block in region.blocks for tree in _of_block(block, nodes)]


def _node(op: Operation, known: PluggedOperation) -> Node | None:
    spec = known.model.lowering
    if not isinstance(spec, ElementwiseSpec | SumSpec):
        return None
    lookup, given = _called(op, known)
    positions = [operand.position for operand in known.operands[: len(spec.operands)]]
    if (known.function and lookup is None) or any(p is None or p >= len(given) for p in positions):
        return None
    method = isinstance(lookup, LoadMethod) and not _is_global(lookup.object)
    args = tuple(given[position] for position in positions if position is not None)
    return Node(op, spec, args, lookup, "" if method else known.function)


def _called(op: Operation, known: PluggedOperation) -> tuple[LoadMethod | LoadGlobal | None, Sequence[Value]]:
    """What looks up the function that is called (``np.sqrt``, ``sqrt``) or the method, and what the plugin was told of:
    of a method the receiver is the first."""
    if not isinstance(op, Call | CallMethod):
        return None, op.operands
    found = op.operands[0]
    lookup = found.op if isinstance(found, OpResult) else None
    if isinstance(lookup, LoadMethod):
        if len(known.operands) == len(op.args) + 1:
            return lookup, (lookup.object, *op.args)
        return lookup if _is_global(lookup.object) else None, op.args
    return lookup if isinstance(lookup, LoadGlobal) else None, op.args


def _is_global(value: Value) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, LoadGlobal)


def _of_block(block: Block, nodes: Mapping[Operation, Node]) -> list[Tree]:
    found: list[Tree] = []
    last = len(block.ops) - 1
    while last >= 0:
        tree = _ending_at(block, last, nodes) if block.ops[last] in nodes else None
        if tree is None:
            last -= 1
        else:
            found.append(tree)
            last = block.ops.index(tree.ops[0]) - 1
    return found


def _ending_at(block: Block, last: int, nodes: Mapping[Operation, Node]) -> Tree | None:
    """The tree whose result is that of the operation at ``last``, going back as far as nothing can be noticed."""
    chosen: dict[Operation, Node] = {block.ops[last]: nodes[block.ops[last]]}
    callees: set[Operation] = set()
    first = last
    for index in range(last, -1, -1):
        op = block.ops[index]
        if op is not block.ops[last] and op in nodes and _serves(nodes[op], chosen, callees):
            chosen[op] = nodes[op]
        if op in chosen:
            callees |= _callee(chosen[op])
        elif not (isinstance(op, Const) or op in callees or (isinstance(op, Drop) and _is_result(op.value, nodes))):
            break
        if op in chosen or op in callees:
            first = index
    return _tree(block, first, last, chosen)


def _tree(block: Block, first: int, last: int, chosen: Mapping[Operation, Node]) -> Tree | None:
    """The tree of what is chosen from ``first`` on, unless too little is left of it."""
    ops = block.ops[first : last + 1]
    members = [op for op in ops if op in chosen]
    if len(members) < FEWEST:
        return None
    if not _callees_of(members, chosen) <= set(ops):
        # The walk back ended between a call and the look-up of its function: without what comes first, then.
        return _tree(block, block.ops.index(members[1]), last, chosen)
    if not _closed(ops, members):
        return None
    leaves = leaves_of([chosen[op] for op in members])
    if leaves is None or len(leaves) > MOST_OPERANDS:
        return None
    return Tree(tuple(chosen[op] for op in members), tuple(ops), leaves)


def _callees_of(members: list[Operation], chosen: Mapping[Operation, Node]) -> set[Operation]:
    return {op for member in members for op in _callee(chosen[member])}


def _callee(node: Node) -> set[Operation]:
    """The operations that look up what is called."""
    lookup = node.lookup
    if isinstance(lookup, LoadMethod) and isinstance(lookup.object, OpResult) and _is_global(lookup.object):
        return {lookup, lookup.object.op}
    return {lookup} if lookup is not None else set()


def _serves(node: Node, chosen: Mapping[Operation, Node], callees: set[Operation]) -> bool:
    """Whether an array is used by the tree and by nothing else; how long a name keeps it does not matter."""
    users = [use.user for use in node.op.results[0].uses if not isinstance(use.user, Drop)]
    inside = all(user in chosen or user in callees for user in users)
    return isinstance(node.spec, ElementwiseSpec) and bool(users) and inside


def _is_result(value: Value, nodes: Mapping[Operation, Node]) -> bool:
    return isinstance(value, OpResult) and value.op in nodes


def _closed(ops: list[Operation], members: list[Operation]) -> bool:
    """Whether nothing but the results of members is used behind the stretch."""
    inside, inner = set(ops), {op.results[0] for op in members}
    return all(
        value in inner or all(use.user in inside for use in value.uses)
        for op in ops
        if not isinstance(op, Const)
        for value in op.results
    )


def leaves_of(nodes: list[Node]) -> dict[Value, Leaf] | None:
    """How each leaf reaches the kernel: an array as what it is, a Python number as the type that is computed with;
    constants are part of the kernel. ``None``: a number would have to be of two types."""
    made = {node.op.results[0] for node in nodes}
    leaves: dict[Value, Leaf] = {}
    for node in nodes:
        for arg, operand, computed in zip(node.args, node.spec.operands, node.spec.computed, strict=True):
            if arg in made or literal_of(arg, operand, computed) is not None:
                continue
            number = operand.element if operand.element in NUMBERS else ""
            wanted = Leaf(computed if number else operand.element, operand.code, number)
            if leaves.setdefault(arg, wanted) != wanted:
                return None
    return leaves


def literal_of(arg: Value, operand: TensorOperand, computed: str) -> int | float | None:
    """The number that a constant operand is in the type ``computed``; ``None``: it is no constant, or one that the
    library does not convert without a word."""
    if not isinstance(arg, OpResult) or not isinstance(arg.op, Const) or operand.element not in NUMBERS:
        return None
    literal = arg.op.literal
    if computed in FLOATS:
        if abs(literal) > 1 << 53 and isinstance(literal, int):
            return None
        if computed == "f64":
            return float(literal)
        try:
            (single,) = struct.unpack("<f", struct.pack("<f", literal))
        except OverflowError:
            return None
        return float(single)
    low = -(1 << (BITS[computed] - 1)) if computed[0] == "i" else 0
    return literal if isinstance(literal, int) and low <= literal < low + (1 << BITS[computed]) else None
