"""Fixtures of the inference tests: analysing a text, asking whether a fact admits a value, probing a running
program."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.frontend import build_module
from ppy_compiler.infer import Fact, ModuleFacts, analyze
from ppy_compiler.infer import atoms as at
from ppy_compiler.infer.facts import Literal
from ppy_compiler.infer.lattice import join
from ppy_compiler.support.source import Source

OPAQUE = at.ITERATOR | at.VIEW | at.FUNCTION | at.BUILTIN | at.MODULE | at.CLASS | at.INSTANCE | at.OTHER


def admits(fact: Fact, value: object) -> bool:
    """Whether ``value`` is one of the values that ``fact`` describes."""
    atom = at.BY_CLASS.get(type(value))
    if atom is None:
        return bool(fact.types & OPAQUE)
    if not fact.types & atom:
        return False
    if fact.literal is not None and value != fact.literal.value and Literal(value) != fact.literal:
        return False
    if isinstance(value, int):
        return (fact.lo is None or fact.lo <= value) and (fact.hi is None or value <= fact.hi)
    if atom == at.TUPLE and fact.items is not None:
        assert isinstance(value, tuple)
        # Parts that are only assumed are guarded when the tuple is taken apart.
        return len(fact.items) == len(value) and all(
            item.guarded or admits(item, part) for item, part in zip(fact.items, value, strict=True)
        )
    return True


class _Prober(ast.NodeTransformer):
    """Shows every variable to ``reveal_type`` after it is assigned."""

    def _probes(self, targets: list[ast.expr]) -> list[ast.stmt]:
        names = [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
        stores = [name for name in dict.fromkeys(names) if any(_stores(target, name) for target in targets)]
        return [ast.Expr(ast.Call(ast.Name("reveal_type", ast.Load()), [ast.Name(n, ast.Load())], [])) for n in stores]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        return [node, *self._probes(node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        return [node, *self._probes([node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        return [node, *(self._probes([node.target]) if node.value is not None else [])]

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body = [*self._probes([node.target]), *node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.body = [self.visit(item) if isinstance(item, ast.FunctionDef) else item for item in node.body]
        return node


def _stores(target: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(target))


@dataclass
class Probed:
    """What a probed run met: values outside their facts, and how many were looked at."""

    wrong: list[str] = field(default_factory=list)
    seen: int = 0


def probe(text: str) -> Probed:
    """Run ``text`` under CPython, comparing every assigned variable with what inference says of it there."""
    tree = _Prober().visit(ast.parse(text))
    probed = ast.unparse(ast.fix_missing_locations(tree))
    facts = analyze(build_module(Source.from_text(probed, "probed.py"), "__main__"))
    expected: dict[int, Fact] = {}
    for function in facts.functions.values():
        for block in function.reachable:
            for op in block.ops:
                target = function.calls.get(op)
                if target is not None and target.name == "typing.reveal_type" and isinstance(op, Call):
                    assert op.span is not None
                    fact = function.at(op.args[0], block)
                    expected[op.span.line] = join(expected.get(op.span.line, fact), fact)
    result = Probed()

    def reveal_type(value: object) -> object:
        line = sys._getframe(1).f_lineno
        fact = expected.get(line)
        result.seen += 1
        if fact is None:
            result.wrong.append(f"{line}: not reached, yet {value!r}")
        elif not admits(fact, value):
            result.wrong.append(f"{line}: {fact} is {value!r}   {probed.splitlines()[line - 2].strip()}")
        return value

    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": "probed.py", "reveal_type": reveal_type}
    namespace["__builtins__"] = {**vars(builtins), "reveal_type": reveal_type}
    exec(compile(probed, "probed.py", "exec"), namespace)
    return result


@pytest.fixture(scope="session")
def run_probed() -> Callable[[str], Probed]:
    return probe


@pytest.fixture(scope="session")
def analyzed() -> Callable[[str], ModuleFacts]:
    def analyse(text: str) -> ModuleFacts:
        return analyze(build_module(Source.from_text(text, "test.py"), "__main__"))

    return analyse


@pytest.fixture(scope="session")
def contains() -> Callable[[Fact, object], bool]:
    return admits
