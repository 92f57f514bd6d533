"""Building the body of one function: blocks, edges, variables, what must happen on the way out of a statement.

The constructs (``constructs``) are small functions over this class; it knows the intermediate representation and
Python's rules of control, no syntax. Where an exception goes is :attr:`handler`; what ``return``, ``break`` and
``continue`` must do first is the stack :attr:`frames`, as in CPython's compiler.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar

from ppy_compiler.dialects import cf, py
from ppy_compiler.dialects.py import names as py_names
from ppy_compiler.dialects.py import operators as py_operators
from ppy_compiler.frontend.scopes import Scope
from ppy_compiler.frontend.ssa import SSA, Key, Segment
from ppy_compiler.ir import Block, Op, Region, Successor, Trait, Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.support.spans import Span

if TYPE_CHECKING:
    from ppy_compiler.frontend.module import ModuleBuilder

OpT = TypeVar("OpT", bound=Op)
Exit = Callable[["FunctionBuilder"], None]
span_of = Span.of


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement that control may leave early.

    ``leave`` does what must be done then; it runs with the handler and the frames that were there around the statement.
    ``end`` and ``again`` are where ``break`` and ``continue`` go (loops only).
    """

    handler: Block | None
    leave: Exit | None = None
    end: Block | None = None
    again: Block | None = None


class FunctionBuilder:
    """The function under construction; ``block is None`` where control cannot come."""

    def __init__(self, module: ModuleBuilder, scope: Scope, code: CodeType, path: tuple[int, ...]) -> None:
        self.module = module
        self.table = module.table
        self.scope = scope
        self.code = code
        self.path = path
        self.region = Region()
        self.ssa = SSA(self._unbound)
        self.cells: dict[str, Value] = {}
        self.handler: Block | None = None
        self.frames: list[Frame] = []
        self.checks: list[py_names.CheckBound] = []
        self.drops: list[py_names.Drop] = []
        self.features: set[str] = set()
        self._null: Value | None = None
        self._dead: dict[Block, set[Op]] = {}
        self.entry = self.ssa.add_block("entry")
        self.ssa.seal(self.entry)
        self.region.append(self.entry)
        self.block: Block | None = self.entry
        self.segment: Segment = self.ssa.blocks[self.entry].first

    # --- syntax ----------------------------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> Value:
        value: Value = self.table[type(node)](self, node)
        return value

    def exprs(self, nodes: list[ast.expr]) -> list[Value]:
        return [self.expr(node) for node in nodes]

    def body(self, statements: list[ast.stmt]) -> None:
        """Statements in order, as far as control reaches."""
        for statement in statements:
            if self.block is None:
                return
            self.table[type(statement)](self, statement)

    # --- operations and edges --------------------------------------------------------------------------------------

    def emit(self, op: OpT) -> OpT:
        block = self.block
        assert block is not None, f"{op.name} where control cannot come"
        op.parent = block
        block.ops.append(op)
        if self.handler is not None and type(op) in RAISING:
            edge = Successor(self.handler)
            op.set_unwind(edge)
            self.ssa.add_edge(edge, self.segment)
            self.segment.captured = True
        return op

    def end(self, op: Op) -> None:
        """Emit a terminator."""
        self.emit(op)
        for edge in op.successors:
            self.ssa.add_edge(edge, self.segment)
        self.block = None

    def new_block(self, hint: str) -> Block:
        return self.ssa.add_block(hint)

    def jump(self, target: Block) -> None:
        """Go to ``target``, if control is here at all."""
        if self.block is not None:
            self.end(cf.Br(Successor(target)))

    def branch(self, condition: Value, then: Block, otherwise: Block, span: Span | None = None) -> None:
        self.end(cf.CondBr(condition, Successor(then), Successor(otherwise), span=span))

    def enter(self, block: Block, *, seal: bool = True) -> bool:
        """Go on in ``block``; false when nothing leads there."""
        assert self.block is None, "control would fall into a block"
        if not self.ssa.has_edges(block):
            return False
        if seal:
            self.ssa.seal(block)
        self.region.append(block)
        self.block = block
        self.segment = self.ssa.blocks[block].first
        return True

    def handler_block(self, hint: str) -> Block:
        """A block for exceptions: its first argument is the one that was raised."""
        block = self.new_block(hint)
        block.add_arg(OBJECT, "exc")
        return block

    @contextmanager
    def within(self, handler: Block | None, frame: Frame | None = None) -> Iterator[None]:
        """Inside a statement: exceptions go to ``handler`` meanwhile, early exits pass by ``frame``."""
        outer, self.handler = self.handler, handler
        frames = self.frames
        if frame is not None:
            self.frames = [*frames, frame]
        yield
        self.handler, self.frames = outer, frames

    def leave(self, is_target: Callable[[Frame], bool], then: Callable[[Frame | None], None]) -> None:
        """Leave statements, innermost first, up to the one asked for (``None``: the function); there, run ``then``."""
        frames, handler = self.frames, self.handler
        target: Frame | None = None
        for index in range(len(frames) - 1, -1, -1):
            frame = frames[index]
            self.handler = frame.handler
            if is_target(frame):
                target = frame
                break
            self.frames = frames[:index]
            if frame.leave is not None:
                frame.leave(self)
            if self.block is None:
                break
        if self.block is not None:
            then(target)
        self.frames, self.handler = frames, handler

    # --- values ----------------------------------------------------------------------------------------------------

    def const(self, literal: Any, span: Span | None = None) -> Value:
        return self.emit(py_names.Const(literal=literal, span=span)).value

    def truth(self, value: Value, span: Span | None) -> Value:
        return self.emit(py_operators.Truth(value, span=span)).value

    def write(self, key: Key, value: Value) -> None:
        self.segment = self.ssa.write(self.segment, key, value)

    def read(self, key: Key) -> Value:
        return self.ssa.read(self.segment, key)

    def unbound(self) -> Value:
        """The null marker."""
        return self._unbound()

    def _unbound(self) -> Value:
        if self._null is None:
            op = py_names.Unbound()
            self.entry.insert(0, op)
            self._null = op.value
            self._null.hint = "unbound"
        return self._null

    # --- completion ------------------------------------------------------------------------------------------------

    def finish(self) -> Region:
        """Complete the variables; the region is then valid."""
        assert self.block is None
        null = self._null
        possible = self.ssa.maybe_unbound(null) if null is not None else set()
        for check in self.checks:
            if check.argument not in possible:
                self.ssa.replace(check.value, check.argument)
                self._remove(check)
        for drop in self.drops:
            if drop.value is null:
                self._remove(drop)
        for block, dead in self._dead.items():
            block.ops = [op for op in block.ops if op not in dead]
        self._remove_unreachable()
        self.ssa.finish()
        if null is not None and not null.uses:
            del self.entry.ops[0]
        return self.region

    def _remove(self, op: Op) -> None:
        op.drop_operands()
        op.unwind = None
        assert op.parent is not None
        self._dead.setdefault(op.parent, set()).add(op)

    def _remove_unreachable(self) -> None:
        """A handler may have been there for a check only that was not needed."""
        reached = {self.entry}
        work = [self.entry]
        while work:
            for edge in work.pop().edges():
                if edge.block not in reached:
                    reached.add(edge.block)
                    work.append(edge.block)
        if len(reached) < len(self.region.blocks):
            for block in self.region.blocks:
                if block not in reached:
                    for op in block.ops:
                        op.drop_references()
            self.region.blocks = [block for block in self.region.blocks if block in reached]


RAISING = frozenset(op for op in py.OPS if op.traits & Trait.RAISES)
