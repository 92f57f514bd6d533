"""Cells and free variables are those of CPython's compiler, also in programs nobody wrote for this test."""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path
from types import CodeType

import pytest
from ppy_compiler.frontend import code_paths
from ppy_compiler.frontend.scopes import Scope
from ppy_compiler.frontend.symbols import collect

LIBRARY = Path(json.__file__).parents[1]
MODULES = ["ast.py", "dataclasses.py", "enum.py", "functools.py", "contextlib.py", "typing.py", "asyncio/taskgroups.py"]


def line_of(scope: Scope) -> int:
    if scope.kind == "module":
        return 1
    decorators = getattr(scope.node, "decorator_list", [])
    return int((decorators[0] if decorators else scope.node).lineno)  # type: ignore[union-attr]


def of_scopes(source: bytes) -> set[tuple[str, int, frozenset[str], frozenset[str]]]:
    table = collect(ast.parse(source))
    scopes = [*table.scopes.values(), *table.parts.values()]
    hosts = [scope for scope in scopes if not scope.inlined]
    cells = {host: host.cells.union(*(s.cells for s in scopes if s.inlined and s.host is host)) for host in hosts}
    return {(h.name, line_of(h), frozenset(cells[h]), frozenset(h.free)) for h in hosts}


def of_code(code: CodeType) -> set[tuple[str, int, frozenset[str], frozenset[str]]]:
    return {
        (c.co_name, c.co_firstlineno, frozenset(c.co_cellvars), frozenset(c.co_freevars)) for _, c in code_paths(code)
    }


def test_cases(case: Path) -> None:
    source = case.read_bytes()
    assert of_code(compile(source, str(case), "exec", dont_inherit=True)) <= of_scopes(source)


@pytest.mark.parametrize("module", MODULES)
def test_the_standard_library(module: str) -> None:
    source = (LIBRARY / module).read_bytes()
    assert of_code(compile(source, module, "exec", dont_inherit=True)) <= of_scopes(source)


def test_a_loop_knows_what_is_stored_in_it() -> None:
    tree = ast.parse(
        "def f():\n"
        "    for i in x:\n"
        "        a = 1\n"
        "        while b := 2:\n"
        "            import c.d\n"
        "            [e for e in (g := y)]\n"
        "    else:\n"
        "        outside = 1\n"
    )
    table = collect(tree)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    outer = function.body[0]
    assert isinstance(outer, ast.For)
    assert table.loop_stores[outer] == {"i", "a", "b", "c", "g"}
    assert table.loop_stores[outer.body[1]] == {"b", "c", "g"}


def test_mangling() -> None:
    tree = ast.parse("class _A:\n def f(self, __p): self.__x = __p; self.__y__ = __z.__w\nclass __:\n __q = 1\n")
    table = collect(tree)
    names = Counter(name for scope in table.scopes.values() for name in {**scope.bound, **scope.used})
    assert {"_A__p", "_A__z", "__q"} <= set(names)


def test_inlined_comprehensions_are_those_of_this_python() -> None:
    table = collect(ast.parse("[a for a in b]; {a for a in b}; {a: a for a in b}; (a for a in b)"))
    inlined = [scope.name for scope in table.scopes.values() if scope.inlined]
    assert inlined == (["<listcomp>", "<setcomp>", "<dictcomp>"] if sys.version_info >= (3, 12) else [])
