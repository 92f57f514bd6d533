"""Errors are CPython's own, warnings are shown once, nesting has no limit of ours."""

from __future__ import annotations

import traceback
import warnings

import pytest
from ppy_compiler.frontend import build_module
from ppy_compiler.support.source import Source

BAD = [
    "def f(:\n    return 1\n",
    "x = (1\n",
    "return 5\n",
    "def f():\n    yield = 1\n",
    "for x in y:\n    pass\nelse\n",
    "def f(a, a): pass\n",
    "break\n",
    "def f():\n    nonlocal x\n",
    "def f(x):\n    global x\n",
    "async def f(): [await x for x in y]\ndef g(): await f()\n",
    "match x:\n    case a: pass\n    case b: pass\n",
    "class C:\n    [x := 1 for y in z]\n",
    "f(a=1, a=2)\n",
    "def f():\n\treturn 1\n        return 2\n",
    "'unterminated\n",
    "from __future__ import nonsense\n",
    "x = 0777\n",
    "é = 1 +\n",
    "try:\n    pass\nexcept* E:\n    break\n",
    "def f[T, T](): pass\n",
]


def shown(error: Exception) -> str:
    return "".join(traceback.format_exception_only(error))


@pytest.mark.parametrize("text", BAD)
def test_errors_are_those_of_cpython(text: str) -> None:
    with pytest.raises(SyntaxError) as expected:
        compile(text.encode(), "bad.py", "exec", dont_inherit=True)
    with pytest.raises(SyntaxError) as found:
        build_module(Source.from_text(text, "bad.py"), "bad")
    assert shown(found.value) == shown(expected.value)


def test_a_null_byte() -> None:
    with pytest.raises((SyntaxError, ValueError)) as expected:
        compile(b"x = 1\0\n", "bad.py", "exec")
    with pytest.raises((SyntaxError, ValueError)) as found:
        build_module(Source.from_text("x = 1\0\n", "bad.py"), "bad")
    assert shown(found.value) == shown(expected.value)


def test_warnings_are_shown_once() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        build_module(Source.from_text("x = '\\d' is 1\n", "warns.py"), "warns")
    assert len({str(w.message) for w in caught}) == len(caught) == 2


def test_declared_encodings() -> None:
    data = "# coding: latin-1\ns = 'é'\nt = s.no\n".encode("latin-1")
    module = build_module(Source.from_bytes(data), "latin")
    literals = [op.attributes["literal"] for op in module.walk() if op.name == "py.const"]
    assert literals[0] == "é"


@pytest.mark.parametrize(
    "text",
    [
        "x = " + " + ".join(["x"] * 700),
        "x = " + "(" * 90 + "x" + ",)" * 90,
        "def f(x):\n" + "    if x: y = 1\n" * 1500 + "    return y\n",
        "x = " + " if x else ".join(["x"] * 300),
        "if 1: pass\n" + "elif x: pass\n" * 400,
        "x" + ".a" * 800 + "()",
    ],
    ids=["sum", "tuples", "statements", "conditional", "elif", "attributes"],
)
def test_deep_nesting(text: str) -> None:
    compile(text, "deep", "exec")
    build_module(Source.from_text(text), "deep")
