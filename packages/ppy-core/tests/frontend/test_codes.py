"""Every function names the code object that CPython made for it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.frontend import build_module, code_paths, compile_code
from ppy_compiler.support.source import Source

CodeAt = Callable[[CodeType, tuple[int, ...]], CodeType]


def test_all_code_objects_are_found(compiled: tuple[CodeType, list[Func]]) -> None:
    code, functions = compiled
    assert [op.kind for op in functions].index("module") == 0
    assert {op.code for op in functions} == {path for path, _ in code_paths(code)}


def test_signatures(compiled: tuple[CodeType, list[Func]], code_at: CodeAt) -> None:
    code, functions = compiled
    for op in functions:
        found = code_at(code, op.code)
        assert op.qualname == found.co_qualname
        assert op.params == found.co_varnames[: len(op.params)]
        assert (op.posonly, op.positional, op.kwonly) == (
            found.co_posonlyargcount,
            found.co_argcount,
            found.co_kwonlyargcount,
        )
        assert len(op.body.entry.args) == len(op.params)


def lambdas(text: str, code_at: CodeAt) -> list[tuple[Func, CodeType]]:
    """The lambdas of a text with the code objects that they name."""
    source = Source.from_text(text)
    code = compile_code(source)
    functions = [op for op in build_module(source, "m", code).body.entry.ops if isinstance(op, Func)]
    return [(op, code_at(code, op.code)) for op in functions if op.kind == "lambda"]


def test_lambdas_on_one_line_are_told_apart(code_at: CodeAt) -> None:
    found = lambdas("a = [lambda: 1, lambda: 2, lambda: 1, lambda: 'x', lambda: -1, lambda: (1, 2)]", code_at)
    assert [eval(code) for _, code in found] == [1, 2, 1, "x", -1, (1, 2)]


def test_nested_lambdas_on_one_line_are_told_apart(code_at: CodeAt) -> None:
    found = lambdas("a = lambda x=lambda y=lambda z=1: z: y(): x()", code_at)
    assert sorted(op.params for op, _ in found) == [("x",), ("y",), ("z",)]
    assert all(op.params == code.co_varnames[:1] for op, code in found)


def test_functions_in_duplicated_code_are_built_once() -> None:
    source = Source.from_text("def f():\n try:\n  return 1\n finally:\n  g = lambda: 0\n")
    syms = [op.sym for op in build_module(source, "m").body.entry.ops if isinstance(op, Func)]
    assert syms == ["<module>", "f", "f.<locals>.<lambda>"]


def test_code_that_cannot_run_needs_no_code_object() -> None:
    source = Source.from_text("def f():\n return 1\n def g(): pass\nif 0:\n def h(): pass\n")
    syms = [op.sym for op in build_module(source, "m").body.entry.ops if isinstance(op, Func)]
    assert syms == ["<module>", "f"]
