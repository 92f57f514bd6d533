"""What all checks share: the facts at a place, whether they are certain, whether the program expects the failure,
reporting."""

from __future__ import annotations

import builtins
from functools import cached_property
from typing import Any

from ppy_compiler.diagnostics.code import Code, Diagnostic, Label
from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.cf import CondBr
from ppy_compiler.dialects.py.contexts import WithExit
from ppy_compiler.dialects.py.exceptions import ExcMatch, PopExc, Reraise
from ppy_compiler.infer.atoms import CLASS, EXTERNAL, FUNCTION, INSTANCE, NULL, OTHER, TUPLE
from ppy_compiler.infer.checker.certainty import uncertain_values
from ppy_compiler.infer.display import show
from ppy_compiler.infer.facts import NEVER, Fact
from ppy_compiler.infer.results import FunctionFacts, ModuleFacts
from ppy_compiler.ir import Block, Operation, OpResult, Value
from ppy_compiler.support.source import Source
from ppy_compiler.support.spans import Span

IGNORE_MARKS = ("# type: ignore", "# ppy: ignore")
LONGEST_NAME = 32


class Context:
    """One module under check."""

    def __init__(self, module: Module, facts: ModuleFacts, source: Source) -> None:
        self.module = module
        self.facts = facts
        self.source = source
        self.found: dict[Diagnostic, None] = {}

    def view(self, function: FunctionFacts, block: Block) -> View:
        return View(self, function, block)

    @cached_property
    def uncertain(self) -> frozenset[Value]:
        """Values whose facts are guesses of inference."""
        return uncertain_values(self.facts)

    @cached_property
    def ignored_lines(self) -> frozenset[int]:
        lines = self.source.text.split("\n")
        return frozenset(number for number, line in enumerate(lines, 1) if any(mark in line for mark in IGNORE_MARKS))

    def report(
        self,
        code: Code,
        span: Span | None,
        subject: str = "",
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        **fields: object,
    ) -> None:
        if (
            span is not None
            and not self.ignored_lines.isdisjoint(range(span.line, span.end_line + 1))
            and code.code[0] == "E"
        ):
            return
        diagnostic = code.at(self.module.path, span, labels=labels, notes=notes, subject=subject, **fields)
        self.found[diagnostic] = None

    def text_of(self, value: Value) -> str:
        """What a value is called in the source."""
        if value.hint and not value.hint.startswith("."):
            return value.hint
        if isinstance(value, OpResult) and value.op.span is not None:
            text = " ".join(self.source.excerpt(value.op.span).split())
            return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 3] + "..."
        return "the value"


class View:
    """The facts inside one block of one function."""

    def __init__(self, context: Context, function: FunctionFacts, block: Block) -> None:
        self.context = context
        self.function = function
        self.block = block

    def fact(self, value: Value) -> Fact:
        return self.function.at(value, self.block) if value in self.function.values else NEVER

    def certain(self, *values: Value) -> bool:
        """Whether the facts of all ``values`` are known types of data: exact, bound, and no guesses."""
        for value in values:
            fact = self.fact(value)
            if (
                not fact.types
                or fact.types & (OTHER | INSTANCE | EXTERNAL | NULL | CLASS | FUNCTION)
                or value in self.context.uncertain
            ):
                return False
        return True

    def report(
        self, code: Code, op: Operation, *, raises: str = "TypeError", span: Span | None = None, **fields: Any
    ) -> None:
        """Report at ``op`` unless the program is prepared for the exception there."""
        if not self.expects(op, raises):
            self.context.report(code, span if span is not None else op.span, self.function.func.qualname, **fields)

    def expects(self, op: Operation, exception: str) -> bool:
        """Whether code around ``op`` may catch ``exception``."""
        kind = getattr(builtins, exception)
        seen: set[Block] = set()
        waiting = [op.unwind.block] if op.unwind is not None else []
        while waiting:
            block = waiting.pop()
            if block in seen:
                continue
            seen.add(block)
            if any(isinstance(inner, WithExit) for inner in block.ops):
                return True
            matches = [inner for inner in block.ops if isinstance(inner, ExcMatch)]
            if any(self._may_catch(inner, kind) for inner in matches):
                return True
            last = block.ops[-1]
            if matches and isinstance(last, CondBr):
                waiting.append(last.otherwise.block)
                continue
            if isinstance(last, Reraise):
                waiting += [last.unwind.block] if last.unwind is not None else []
            elif any(isinstance(inner, PopExc) for inner in block.ops):
                return True  # a bare except: nothing is raised again
            else:
                waiting += [edge.block for edge in last.successors]
        return False

    def _may_catch(self, match: ExcMatch, kind: type[BaseException]) -> bool:
        pattern = self.function.values.get(match.pattern, NEVER)
        parts = pattern.items if pattern.only(TUPLE) and pattern.items is not None else (pattern,)
        for part in parts:
            caught = getattr(builtins, part.name.removeprefix("builtins."), None) if part.only(CLASS) else None
            if not isinstance(caught, type) or issubclass(kind, caught):
                return True
        return False


def shown(fact: Fact) -> str:
    """A type for messages, without ranges and values."""
    return show(fact, ranges_too=False)
