"""Writing statements in evaluation order: the lower half of the interpreter's engine.

Takes expressions one by one, each with the place an exception goes to; decides which become part of a later expression
and which are stored in a variable, groups neighbours that unwind to one place in a ``try``, and lets go of variables.
Blocks and edges are the upper half's (``interpreter``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ppy_compiler.ir.core import Block, Value
from ppy_compiler.ir.syntax import assign, call, load, locate, store
from ppy_compiler.support.spans import Span

Key = tuple[Block, tuple[Value, ...]] | None
"""Where an exception goes: an unwind edge's target and arguments, or out of the function."""
Meaning = ast.expr | tuple[int, ast.expr] | list[ast.stmt]
"""An expression for the only (or the numbered) result, or statements that store the results."""


class Anywhere:
    """The key of what cannot raise."""


ANYWHERE = Anywhere()


@dataclass(frozen=True, slots=True)
class Reference:
    """What one operation means.

    ``order``: the operands in the order in which ``emit`` evaluates them; ``named``: ``emit`` uses an operand
    several times; ``unbinds``: here a variable lets go of its value.
    """

    emit: Callable[[Any, Any], Meaning]
    order: Callable[[Any], Sequence[Value]] = lambda op: op.operands
    named: bool = False
    unbinds: bool = False


@dataclass(slots=True)
class Pending:
    """An expression not yet evaluated: the place it takes in evaluation order is that of its list entry."""

    value: Value
    expr: ast.expr
    key: Key | Anywhere
    kills: set[Value]
    touched: set[Value]


@dataclass(slots=True)
class Try:
    """Statements that unwind to ``key``; ``touched``: values that may be alive when one of them raises."""

    key: tuple[Block, tuple[Value, ...]]
    body: list[ast.stmt] = field(default_factory=list)
    touched: set[Value] = field(default_factory=set)


class Writer:
    """Statements written so far (``out``), the open ``try`` (``group``), expressions not yet evaluated
    (``pending``).
    """

    def __init__(self, names: Mapping[Value, str]) -> None:
        self.objects: dict[int, tuple[str, Any]] = {}
        self.names: dict[Value, str] = dict(names)
        self.aliases: dict[Value, Callable[[], ast.expr]] = {}
        self.globals: set[str] = set()
        self.span = Span(1, 0, 1, 0)
        self.pending: list[Pending] = []
        self.nested: dict[Value, ast.expr] = {}
        self.out: list[ast.stmt] = []
        self.group: Try | None = None

    # What reference functions use

    def value(self, value: Value) -> ast.expr:
        """The expression of an operand; once per operand, unless it is ``named``."""
        if value in self.nested:
            return self.nested.pop(value)
        if value in self.aliases:
            return self.aliases[value]()
        return load(self.name(value))

    def values(self, values: Iterable[Value]) -> list[ast.expr]:
        return [self.value(v) for v in values]

    def store(self, value: Value) -> ast.expr:
        """The target that a statement stores a result to."""
        return store(self.name(value))

    def name(self, value: Value) -> str:
        name = self.names.get(value)
        if name is None:
            name = self.names[value] = f"{value.hint}%{len(self.names)}"
        return name

    def object(self, thing: object) -> ast.expr:
        """Any object as a constant of the code (``constants`` puts it there)."""
        marker, _ = self.objects.setdefault(id(thing), (f"\0ppy:{len(self.objects)}", thing))
        return ast.Constant(marker)

    def call(self, function: Any, *args: ast.expr) -> ast.expr:
        return call(self.object(function), *args)

    def alias(self, value: Value, expr: Callable[[], ast.expr]) -> None:
        """``value`` needs no variable: ``expr`` gives it wherever it is used."""
        self.aliases[value] = expr

    def settle(self) -> None:
        """Evaluate what is pending before the operation at hand."""
        self._flush()

    # Statements

    def _take(self, order: Sequence[Value], own: Key | Anywhere, named: bool = False) -> list[Pending]:
        """The pending expressions that may become part of one that evaluates ``order``; else all are settled first."""
        waiting = {p.value for p in self.pending}
        wanted = [v for v in order if v in waiting]
        if not wanted:
            return []
        parts = self.pending[len(self.pending) - len(wanted) :]
        keys = {p.key for p in parts if p.key is not ANYWHERE} | ({own} - {ANYWHERE})
        if named or [p.value for p in parts] != wanted or len(keys) > 1:
            self._flush()
            return []
        del self.pending[len(self.pending) - len(wanted) :]
        return parts

    def _flush(self) -> None:
        pending, self.pending = self.pending, []
        for entry in pending:
            self._settle(entry)

    def _settle(self, entry: Pending) -> None:
        statement = assign([self.store(entry.value)], entry.expr) if entry.value.uses else ast.Expr(entry.expr)
        self._add(statement, entry.key, entry.touched)
        self._kill(entry.kills, [entry.value] if entry.value.uses else [])

    def _add(self, statement: ast.stmt, key: Key | Anywhere, touched: Iterable[Value] = ()) -> None:
        locate(statement, self.span)
        if key is None:
            self._close()
        elif not isinstance(key, Anywhere) and (self.group is None or self.group.key != key):
            self._close()
            self.group = Try(key)
        if self.group is None:
            self.out.append(statement)
        else:
            self.group.touched.update(touched)
            self.group.body.append(statement)

    def _kill(self, values: set[Value], survivors: Iterable[Value] = ()) -> None:
        """Let go of variables that are not needed any more, unless they hold one of ``survivors`` by now."""
        kept = {self.names.get(v) for v in survivors}
        dead = sorted({self.names[v] for v in values if v in self.names} - kept)
        if not dead:
            return
        if self.group is not None and not values.isdisjoint(self.group.key[1]):
            self._close()
        self._add(assign([store(name) for name in dead], ast.Constant(None)), ANYWHERE)

    def _close(self) -> None:
        """End the open ``try``."""
        group, self.group = self.group, None
        if group is None:
            return
        clause = ast.ExceptHandler(self.object(BaseException), "%e", self._leave(group))
        statement = ast.Try(group.body, [clause], [], [])
        locate(statement, self.span)
        self.out.append(statement)

    def _leave(self, group: Try) -> list[ast.stmt]:
        """What the handler of ``group`` does: hand on values and go to its block."""
        raise NotImplementedError
