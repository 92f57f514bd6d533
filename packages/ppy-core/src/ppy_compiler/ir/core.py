"""Values, operations, blocks, regions.

Static single assignment with block arguments instead of phi nodes. An operation that may raise can carry an
``unwind`` successor: when it raises, control goes there with the exception as the first block argument, followed by
the successor's own arguments. Such an operation need not end its block; what was defined before it dominates the
handler through that edge.

A :class:`User` (an operation or a successor) holds operands and every value knows its uses, so replacing a value is
local. Nothing here checks an operation's shape: declarations do (``define``), and the verifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ppy_compiler.ir.traits import Trait

if TYPE_CHECKING:
    from ppy_compiler.ir.types import Type
    from ppy_compiler.support.spans import Span

    Attribute = Any


class Use(NamedTuple):
    """Operand number ``slot`` of ``user``."""

    user: User
    slot: int


_use = partial(tuple.__new__, Use)
"""``Use``, made without the detour through its Python constructor: every operand of every operation is one."""


class Value:
    """Something computed: the result of an operation or the argument of a block."""

    __slots__ = ("hint", "type", "uses")

    def __init__(self, type: Type, hint: str = "") -> None:
        self.type = type
        self.hint = hint
        self.uses: dict[Use, None] = {}

    def replace_all_uses(self, other: Value) -> None:
        """Make every user of this value use ``other``."""
        for use in list(self.uses):
            use.user.set_operand(use.slot, other)


class OpResult(Value):
    """Result number ``index`` of ``op``."""

    __slots__ = ("index", "op")

    def __init__(self, op: Operation, index: int, type: Type, hint: str = "") -> None:
        self.type = type
        self.hint = hint
        self.uses = {}
        self.op = op
        self.index = index


class BlockArgument(Value):
    """Argument number ``index`` of ``block``."""

    __slots__ = ("block", "index")

    def __init__(self, block: Block, index: int, type: Type, hint: str = "") -> None:
        super().__init__(type, hint)
        self.block = block
        self.index = index


class User:
    """Holds operands and keeps the values' use lists right."""

    __slots__ = ("_operands",)

    def __init__(self, operands: Iterable[Value] = ()) -> None:
        self._operands: list[Value] = list(operands)
        for slot, value in enumerate(self._operands):
            value.uses[_use((self, slot))] = None

    @property
    def operands(self) -> Sequence[Value]:
        return self._operands

    def set_operand(self, index: int, value: Value) -> None:
        use = Use(self, index)
        self._operands[index].uses.pop(use, None)
        self._operands[index] = value
        value.uses[use] = None

    def set_operands(self, values: Iterable[Value]) -> None:
        """Replace the whole list."""
        fresh = list(values)
        self.drop_operands()
        User.__init__(self, fresh)

    def drop_operands(self) -> None:
        for index, value in enumerate(self._operands):
            value.uses.pop(Use(self, index), None)
        self._operands = []


class Successor(User):
    """An edge to ``block``; its operands become the block's arguments (after the exception on an unwind edge)."""

    __slots__ = ("block", "op")

    def __init__(self, block: Block, args: Iterable[Value] = ()) -> None:
        super().__init__(args)
        self.block = block
        self.op: Operation | None = None


class Operation(User):
    """One operation. Subclasses declare their fields (see ``define.Op``); this class only stores them."""

    __slots__ = ("attributes", "parent", "regions", "results", "segments", "span", "successors", "unwind")

    name: ClassVar[str] = ""
    traits: ClassVar[Trait] = Trait.NONE

    def __init__(
        self,
        operands: Iterable[Value],
        result_types: Iterable[Type],
        attributes: Mapping[str, Attribute],
        successors: Iterable[Successor] = (),
        regions: Iterable[Region] = (),
        segments: tuple[int, ...] = (),
        span: Span | None = None,
        unwind: Successor | None = None,
    ) -> None:
        User.__init__(self, operands)
        self.results: list[OpResult] = []
        for type in result_types:
            self.results.append(OpResult(self, len(self.results), type))
        self.attributes: dict[str, Attribute] = dict(attributes)
        self.segments = segments
        self.span = span
        self.parent: Block | None = None
        self.unwind: Successor | None = None
        self.successors = list(successors)
        for successor in self.successors:
            successor.op = self
        self.regions = list(regions)
        for region in self.regions:
            region.op = self
        if unwind is not None:
            self.set_unwind(unwind)

    def set_unwind(self, successor: Successor | None) -> None:
        if self.unwind is not None:
            self.unwind.drop_operands()
        self.unwind = successor
        if successor is not None:
            successor.op = self

    def has_trait(self, trait: Trait) -> bool:
        return bool(self.traits._value_ & trait._value_)  # a flag's own operators are slow

    def edges(self) -> Iterator[Successor]:
        """All ways on from here: the successors, then the unwind edge."""
        yield from self.successors
        if self.unwind is not None:
            yield self.unwind

    def walk(self) -> Iterator[Operation]:
        """This operation and all inside it, in order."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.ops:
                    yield from op.walk()

    def detach(self) -> None:
        """Take the operation out of its block, keeping its operands."""
        if self.parent is not None:
            self.parent.ops.remove(self)
            self.parent = None

    def erase(self) -> None:
        """Remove the operation; its results must be unused."""
        assert not any(result.uses for result in self.results), f"{self.name} still used"
        self.detach()
        self.drop_references()

    def drop_references(self) -> None:
        """Forget all operands, also those of edges and of nested operations."""
        self.drop_operands()
        for successor in self.edges():
            successor.drop_operands()
        for region in self.regions:
            for block in region.blocks:
                for op in block.ops:
                    op.drop_references()

    def __str__(self) -> str:
        from ppy_compiler.ir.printer import print_op

        return print_op(self)


class Block:
    """Arguments and a list of operations, the last of which is a terminator."""

    __slots__ = ("args", "hint", "ops", "parent")

    def __init__(self, arg_types: Iterable[Type] = (), hint: str = "") -> None:
        self.args: list[BlockArgument] = []
        self.ops: list[Operation] = []
        self.parent: Region | None = None
        self.hint = hint
        for type in arg_types:
            self.add_arg(type)

    def add_arg(self, type: Type, hint: str = "") -> BlockArgument:
        arg = BlockArgument(self, len(self.args), type, hint)
        self.args.append(arg)
        return arg

    def remove_arg(self, index: int) -> None:
        """Remove an unused argument; the incoming edges must be shortened by the caller."""
        assert not self.args[index].uses
        del self.args[index]
        for position, arg in enumerate(self.args):
            arg.index = position

    def append(self, op: Operation) -> None:
        op.parent = self
        self.ops.append(op)

    def insert(self, index: int, op: Operation) -> None:
        op.parent = self
        self.ops.insert(index, op)

    @property
    def terminator(self) -> Operation | None:
        if self.ops and self.ops[-1].has_trait(Trait.TERMINATOR):
            return self.ops[-1]
        return None

    def edges(self) -> Iterator[Successor]:
        """Every edge that leaves this block, in order: unwind edges of its operations and the terminator's
        successors.
        """
        for op in self.ops:
            yield from op.edges()


class Region:
    """A list of blocks; the first is the entry."""

    __slots__ = ("blocks", "op")

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.blocks: list[Block] = []
        self.op: Operation | None = None
        for block in blocks:
            self.append(block)

    def append(self, block: Block) -> None:
        block.parent = self
        self.blocks.append(block)

    @property
    def entry(self) -> Block:
        return self.blocks[0]
