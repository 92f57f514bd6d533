"""Trees of array operations in a body: first the kernel, and where it declines the operations one by one.

Takes the trees of a function (``infer.trees``); gives each a kernel and a descriptor, and the code that tries it before
the first of its operations. The attempt has no effect unless it succeeds; then it stands for all of them, and control
goes on behind the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ppy_compiler.dialects import func, tensor
from ppy_compiler.dialects.py.calls import LoadMethod
from ppy_compiler.dialects.py.names import LoadGlobal
from ppy_compiler.infer.trees import Leaf, Node, Tree, find_trees, literal_of
from ppy_compiler.ir import Block, Operation, OpResult, Region, Type, Value
from ppy_compiler.ir.types import I32, I64, OBJECT, PTR
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.lower.symbols import Library
from ppy_compiler.lower.tensor.abi import ARRAY, FLOAT, INT, ITSELF, MEAN, Descriptor, Operand
from ppy_compiler.lower.tensor.kernel import LOOP_SIZE, loop_names, lower_kernel, quiet_flags
from ppy_compiler.lower.tensor.sums import lower_sum
from ppy_compiler.plugins.specs import ElementwiseSpec, SumSpec

if TYPE_CHECKING:
    from ppy_compiler.lower.body import Body
    from ppy_compiler.lower.function import FunctionLowering

NUMBERS = {"float": FLOAT, "int": INT}
COST = {"div": 15, "sqrt": 20, "floordiv": 30, "mod": 30, "library": 40}
"""Tenths of a nanosecond for an element beyond the ordinary ones."""
MEMORY_COST = 4
ORDINARY_COST = 2


class Fusion:
    """What a function has of fused trees."""

    def __init__(self, fn: FunctionLowering) -> None:
        self.fn = fn
        self.trees = find_trees(fn.source.body, fn.facts.plugged)
        self.starts: dict[Operation, Tree] = {tree.ops[0]: tree for tree in self.trees}
        self.ends: dict[Operation, Tree] = {tree.ops[-1]: tree for tree in self.trees}
        self.used: dict[Tree, tensor.Kernel] = {}

    @property
    def kept(self) -> Iterable[Value]:
        """Values that need a place of their own, because two ways lead behind a tree."""
        return [value for tree in self.trees for value in (tree.root, *tree.inner)]

    @property
    def absent(self) -> Iterable[Value]:
        """Values that a kernel never makes: null where it succeeded."""
        return [value for tree in self.trees for value in tree.inner]

    def attempt(self, body: Body, tree: Tree) -> Block:
        """Try the kernel; the builder is left where it declined. Gives the block behind the tree."""
        b = body.b
        if tree not in self.used:
            self.used[tree] = self._kernel(tree)
        general, behind = b.new_block("unfused"), b.new_block("fused")
        for node in tree.nodes:
            if node.function:
                self._check_function(body, node, general)
        args, words = b.array(8 * len(tree.leaves)), b.array(8 * len(tree.leaves))
        for index, leaf in enumerate(tree.leaves):
            self._hand_over(body, leaf, args, words, 8 * index)
        kernel, descriptor = b.symbol(self.symbol(tree)), b.symbol(self.symbol(tree) + ".is")
        function = "ppy_tensor_sum" if isinstance(tree.nodes[-1].spec, SumSpec) else "ppy_tensor_map"
        result = b.call1(function, [kernel, descriptor, args, words, self._loops(body, tree)], OBJECT)
        done = b.new_block("computed")
        b.cond_br(b.is_null(result), general, done, likely=False)
        b.at(done)
        self._succeed(body, tree, self._held(body, tree, result, general))
        b.br(behind)
        b.at(general)
        return behind

    def _check_function(self, body: Body, node: Node, general: Block) -> None:
        """Whether the name still leads to the library's function, found without asking anybody's code."""
        b, goes_on = body.b, body.b.new_block("same")
        lookup, name = node.lookup, b.null()
        if isinstance(lookup, LoadMethod):
            name = body.constant(lookup.attribute)
            assert isinstance(lookup.object, OpResult) and isinstance(lookup.object.op, LoadGlobal)
            lookup = lookup.object.op
        assert lookup is not None
        slot = body.unit_slot(Library(node.function))
        same = b.call1("ppy_is_library_at", [slot, self._peek(body, lookup), name], I32)
        b.cond_br(b.nonzero(same), goes_on, general, likely=True)
        b.at(goes_on)

    def _peek(self, body: Body, op: LoadGlobal) -> Value:
        return body.b.call1("ppy_global_peek", [body.unit, body.b.i64(self.fn.unit.cell(op.var))], OBJECT)

    def _hand_over(self, body: Body, leaf: Value, args: Value, words: Value, place: int) -> None:
        """An object, or null and the number that the body holds."""
        b, kind, native = body.b, body.repr(leaf), body.read(leaf)
        if kind is Repr.OBJ:
            b.store(args, place, native)
            return
        b.store(args, place, b.null())
        b.store(words, place, native if kind is not Repr.F64 else b.cast("bitcast", native, I64))

    def _held(self, body: Body, tree: Tree, result: Value, general: Block) -> Value:
        """The result as the body holds it: a sum may be a number in a register."""
        b, kind = body.b, body.repr(tree.root)
        if kind is Repr.OBJ:
            return result
        number, ok = body.unbox(result, kind, self.fn.facts.values.get(tree.root))
        b.decref(result)
        good = b.new_block("held")
        b.cond_br(ok, good, general, likely=True)
        b.at(good)
        return number

    def _succeed(self, body: Body, tree: Tree, result: Value) -> None:
        """As if all operations had run: what died in them is released, and the result is at its place."""
        b, live = body.b, body.live
        after = live.after(tree.ops[-1])
        for value in live.members(live.before(tree.ops[0]) & ~after):
            if body.owned(value):
                b.decref(body.read(value), body.nullable(value))
        if after & live.bit(tree.root):
            body.store(tree.root, result)
        elif body.repr(tree.root) is Repr.OBJ:
            b.decref(result)
        for value in tree.inner:
            if after & live.bit(value):
                body.store(value, b.null())

    def _loops(self, body: Body, tree: Tree) -> Value:
        """Where the library's inner loops are kept once they are found."""
        return body.b.symbol(self.symbol(tree) + ".loops") if _calls_library(tree) else body.b.const(None, PTR)

    # Kernels

    def symbol(self, tree: Tree) -> str:
        return f"{self.fn.name('kernel')}.{self.trees.index(tree)}"

    def kernels(self) -> list[NativeBuilder]:
        return [_lower(tree)(kernel, self._scalars(tree)) for tree, kernel in self.used.items()]

    def data(self) -> list[func.Bytes]:
        source, found = self.fn.key, []
        for tree, kernel in self.used.items():
            symbol, descriptor = self.symbol(tree), self._descriptor(tree, kernel)
            found.append(func.Bytes(sym=symbol + ".is", source=source, content=descriptor.pack()))
            if descriptor.loops:
                room = bytes(LOOP_SIZE * len(descriptor.loops))
                found.append(func.Bytes(sym=symbol + ".loops", source=source, content=room, writable=True))
        return found

    def _scalars(self, tree: Tree) -> frozenset[int]:
        return frozenset(i for i, leaf in enumerate(tree.leaves.values()) if leaf.number)

    def _kernel(self, tree: Tree) -> tensor.Kernel:
        block = Block([Type(leaf.element) for leaf in tree.leaves.values()])
        elements: dict[Value, Value] = dict(zip(tree.leaves, block.args, strict=True))
        for node in tree.nodes:
            args = [
                _element(block, elements.get(arg), literal_of(arg, operand, computed), Type(computed))
                for arg, operand, computed in zip(node.args, node.spec.operands, node.spec.computed, strict=True)
            ]
            elements[node.op.results[0]] = _applied(block, node.spec, args)
        block.append(tensor.Yield(elements[tree.root]))
        return tensor.Kernel(Region([block]), sym=self.symbol(tree), source=self.fn.key)

    def _descriptor(self, tree: Tree, kernel: tensor.Kernel) -> Descriptor:
        operands, root = tuple(map(_operand, tree.leaves.values())), tree.nodes[-1].spec
        kinds = [node.spec.kind for node in tree.nodes if isinstance(node.spec, ElementwiseSpec)]
        cost = sum(COST.get(kind, ORDINARY_COST) for kind in kinds)
        return Descriptor(
            operands,
            root.result.code,
            cost + MEMORY_COST * (1 + len(operands)),
            0 if isinstance(root, SumSpec) else quiet_flags(kernel),
            MEAN if isinstance(root, SumSpec) and root.mean else ITSELF,
            root.result.element,
            loop_names(kernel),
        )


def _operand(leaf: Leaf) -> Operand:
    return Operand(leaf.element, leaf.code, NUMBERS.get(leaf.number, ARRAY))


def _calls_library(tree: Tree) -> bool:
    return any(isinstance(node.spec, ElementwiseSpec) and node.spec.kind == "library" for node in tree.nodes)


def _lower(tree: Tree) -> Callable[[tensor.Kernel, frozenset[int]], NativeBuilder]:
    return lower_sum if isinstance(tree.nodes[-1].spec, SumSpec) else lower_kernel


def _element(block: Block, element: Value | None, literal: float | None, type: Type) -> Value:
    """An argument of an operation as the type that is computed with."""
    if element is None:
        op: Operation = tensor.Const(literal=literal, types=[type])
    elif element.type == type:
        return element
    else:
        op = tensor.Cast(element, types=[type])
    block.append(op)
    return op.results[0]


def _applied(block: Block, spec: ElementwiseSpec | SumSpec, args: list[Value]) -> Value:
    """The element that a node computes."""
    if isinstance(spec, SumSpec) or spec.kind == "cast":
        return args[0]
    types = [Type(spec.result.element)]
    if spec.kind == "library":
        op: tensor.Library | tensor.Apply = tensor.Library(tuple(args), function=spec.function, types=types)
    else:
        op = tensor.Apply(tuple(args), kind=spec.kind, types=types)
    block.append(op)
    return op.value
