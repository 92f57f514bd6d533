"""What a function says of itself: why it runs as Python, its directives, its annotations."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.frontend import native

Functions = Callable[[str], dict[str, Func]]
REASONS = [
    ("def f():\n yield 1\n", native.GENERATOR),
    ("def f():\n return (yield from g())\n", native.GENERATOR),
    ("async def f():\n return 1\n", native.ASYNC),
    ("async def f():\n yield 1\n", native.ASYNC),
    ("class f:\n pass\n", native.CLASS_BODY),
    ("def f():\n return locals()\n", native.FRAME),
    ("def f(x):\n exec(x)\n", native.FRAME),
    ("import ppy\n@ppy.dynamic\ndef f(x):\n return x\n", native.DYNAMIC),
    ("def f(x):\n return [v for v in x]\n", ""),
    ("def f(x):\n try:\n  return x.y\n finally:\n  x.z()\n", ""),
    ("def f(x, exec):\n return exec(x)\n", ""),
    ("def f(x):\n with x:\n  return 1\n", ""),
    ("def f(x):\n def g():\n  return x\n return g\n", ""),
]


@pytest.mark.parametrize(("text", "code"), REASONS)
def test_why_a_function_runs_as_python(text: str, code: str, functions: Functions) -> None:
    found = functions(text)
    assert (found["f"].native, found["<module>"].native) == (code, "")


def test_super_without_arguments(functions: Functions) -> None:
    found = functions("class C(B):\n def m(self):\n  return super().m()\n def n(self):\n  return self.x\n")
    assert (found["C.m"].native, found["C.n"].native) == (native.SUPER, "")
    assert "py.load_super" in {op.name for op in found["C.m"].walk()}


def test_directives_are_found_by_the_names_the_module_imports(functions: Functions) -> None:
    found = functions(
        "import ppy, other\n"
        "import ppy as p\n"
        "from ppy import pure as clean, native\n"
        "@ppy.opt(2)\n"
        "@p.xla.jit\n"
        "@other.pure\n"
        "@clean\n"
        "@native(require=True)\n"
        "@local\n"
        "def f(): pass\n"
        "@pure\n"
        "def g(): pass\n"
    )
    assert found["f"].directives == (
        ("opt", (("", "2"),)),
        ("xla.jit", ()),
        ("pure", ()),
        ("native", (("require", "True"),)),
    )
    assert found["g"].directives == ()


def test_annotations_as_text(functions: Functions) -> None:
    found = functions("def f(a, /, b: int, *c: 'str', d: list[int]=1, **e: x.y) -> None: pass\n")
    assert found["f"].annotations == (
        ("b", "int"),
        ("d", "list[int]"),
        ("c", "'str'"),
        ("e", "x.y"),
        ("return", "None"),
    )


def test_names_of_functions(functions: Functions) -> None:
    found = functions(
        "def f(): pass\ndef f(): pass\nclass C:\n def m(self):\n  return lambda: [x for x in (y for y in self)]\n"
    )
    comprehension = [] if sys.version_info >= (3, 12) else ["C.m.<locals>.<lambda>.<locals>.<listcomp>"]
    assert list(found) == [
        "<module>",
        "f",
        "f#2",
        "C",
        "C.m",
        "C.m.<locals>.<lambda>",
        *comprehension,
        "C.m.<locals>.<lambda>.<locals>.<genexpr>",
    ]
