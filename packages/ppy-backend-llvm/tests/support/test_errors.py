"""Raising, catching and putting back exceptions; except*; match; imports: against the statements."""

from __future__ import annotations

import builtins
import ctypes
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from native_library import context, function
from outcomes import outcome, python
from sample import Sample
from test_operations import out_array, taken


class Strange(Exception):
    def __new__(cls) -> Any:
        return 5


RAISED: list[Any] = [ValueError, ValueError("x"), 5, None, int, Strange, KeyError("a")]


@pytest.mark.parametrize("exc", RAISED, ids=repr)
@pytest.mark.parametrize("cause", ["none given", None, OSError, OSError("y"), 5, int, Strange], ids=repr)
def test_raise_statements(exc: Any, cause: Any) -> None:
    if cause == "none given":
        call = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
        address = ctypes.cast(function("ppy_raise"), ctypes.c_void_p).value
        assert address is not None
        native = outcome(call(address), exc, None)
        assert native == outcome(python, "raise exc", exc=exc)
    else:
        assert outcome(function("ppy_raise"), exc, cause) == outcome(
            python, "raise exc from cause", exc=exc, cause=cause
        )


def test_unbound_names() -> None:
    for kind, error in enumerate((UnboundLocalError, NameError, NameError)):
        with pytest.raises(error) as caught:
            function("ppy_raise_unbound")(kind, "spam")
        assert caught.value.name == (None if kind == 0 else "spam")
    with pytest.raises(ValueError, match="some text"):
        _raise_text()


def _raise_text() -> None:
    call = ctypes.PYFUNCTYPE(None, ctypes.py_object, ctypes.c_char_p)
    address = ctypes.cast(function("ppy_raise_text"), ctypes.c_void_p).value
    assert address is not None
    call(address)(ValueError, b"some text")


@pytest.mark.parametrize(
    "type_", [ValueError, Exception, KeyError, (KeyError, ValueError), (), 5, (ValueError, 5), int], ids=repr
)
def test_except_clauses(type_: Any) -> None:
    source = """
try: raise ValueError("x")
except type_: result = True
except BaseException as error:
    if isinstance(error, TypeError): raise error from None
    result = False
"""
    native = outcome(lambda: bool(function("ppy_exc_match")(ValueError("x"), type_)))
    assert native[:2] == outcome(python, source, type_=type_)[:2]


def test_handled_exceptions() -> None:
    assert sys.exc_info()[1] is None
    error = ValueError("handled")
    references = sys.getrefcount(error)
    previous = function("ppy_push_exc")(context(), error)
    assert sys.exc_info()[1] is error
    with pytest.raises(KeyError) as caught:
        function("ppy_raise")(KeyError("second"), None)
    assert caught.value.__suppress_context__
    with pytest.raises(ValueError, match="handled") as again:
        function("ppy_reraise")(context())
    assert again.value is error
    del again, caught
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(previous))
    function("ppy_pop_exc")(context(), previous)
    assert sys.exc_info()[1] is None
    error.__traceback__ = None
    assert sys.getrefcount(error) == references
    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        function("ppy_reraise")(context())


def test_assertion_error() -> None:
    assert function("ppy_assertion_error")() is AssertionError


def group() -> BaseExceptionGroup[BaseException]:
    return ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [ValueError(3), OSError(4)])])


@pytest.mark.parametrize(
    "type_", [ValueError, (ValueError, OSError), RuntimeError, Exception, ExceptionGroup, 5], ids=repr
)
@pytest.mark.parametrize("naked", [False, True])
def test_splitting_groups(type_: Any, naked: bool) -> None:
    def native() -> Any:
        match, rest = out_array(1), out_array(1)
        function("ppy_exc_group_match")(ValueError(7) if naked else group(), type_, match, rest)
        return repr((taken(match, 1)[0], taken(rest, 1)[0]))

    source = """
seen = None
rest = None
try:
    try: raise exc
    except* type_ as e: seen = e
except BaseException as e:
    if isinstance(e, TypeError): raise
    rest = e
result = repr((seen, rest))
"""
    assert outcome(native)[:2] == outcome(python, source, exc=ValueError(7) if naked else group(), type_=type_)[:2]


def test_what_an_except_star_statement_raises() -> None:
    prepare = function("ppy_prep_reraise_star")
    orig = group()
    assert prepare(orig, []) is None
    naked = ValueError(1)
    assert prepare(naked, [naked]) is naked
    assert prepare(naked, [None]) is None
    rest = orig.split(ValueError)[1]
    result = prepare(orig, [rest])
    assert repr(result) == repr(rest)
    raised = RuntimeError("new")
    assert prepare(orig, [raised]) is raised
    both = prepare(orig, [raised, rest])
    assert repr(both) == repr(ExceptionGroup("", [raised, rest]))


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y


class Partial(Point):
    def __init__(self) -> None:
        self.x = 1


class BadArgs:
    __match_args__ = ["x"]


class BadNames:
    __match_args__ = (5,)


class Twice(Point):
    __match_args__ = ("x", "x")


PATTERNS: list[tuple[Any, Any, int, tuple[str, ...]]] = [
    (Point(1, 2), Point, 0, ()),
    (Point(1, 2), Point, 2, ()),
    (Point(1, 2), Point, 1, ("y",)),
    (Point(1, 2), Point, 1, ("x",)),
    (Point(1, 2), Point, 3, ()),
    (Partial(), Point, 2, ()),
    (5, Point, 1, ()),
    (5, int, 1, ()),
    (5, int, 2, ()),
    (5, int, 0, ("real",)),
    (BadArgs(), BadArgs, 1, ()),
    (BadNames(), BadNames, 1, ()),
    (Twice(1, 2), Twice, 2, ()),
    (5, 5, 0, ()),
    (5, object, 1, ()),
    (5, int, 0, ("nothing",)),
    ({}, dict, 1, ()),
    (True, int, 1, ()),
]


@pytest.mark.parametrize(("subject", "type_", "positional", "keywords"), PATTERNS)
def test_class_patterns(subject: Any, type_: Any, positional: int, keywords: tuple[str, ...]) -> None:
    captures = [f"p{i}" for i in range(positional)] + [f"{name}=k{i}" for i, name in enumerate(keywords)]
    names = [f"p{i}" for i in range(positional)] + [f"k{i}" for i in range(len(keywords))]
    source = f"""
match subject:
    case type_({", ".join(captures)}): result = ({"".join(name + ", " for name in names)})
    case _: result = None
"""
    native = outcome(function("ppy_match_class"), subject, type_, positional, keywords)
    assert native == outcome(python, source, subject=subject, type_=type_)


def test_mapping_patterns() -> None:
    for keys in [(), ("a",), ("a", "b"), ("c",), ("a", "a")]:
        expected: Any = tuple({"a": 1, "b": 2}[key] for key in keys) if "c" not in keys else None
        if keys == ("a", "a"):
            with pytest.raises(ValueError, match=r"mapping pattern checks duplicate key \('a'\)"):
                function("ppy_match_keys")({"a": 1}, keys)
        else:
            assert function("ppy_match_keys")({"a": 1, "b": 2}, keys) == expected
    for value, sequence, mapping in [
        ([], 1, 0),
        ((), 1, 0),
        ("a", 0, 0),
        (b"", 0, 0),
        ({}, 0, 1),
        (range(3), 1, 0),
        (5, 0, 0),
    ]:
        assert function("ppy_match_sequence")(value) == sequence
        assert function("ppy_match_mapping")(value) == mapping


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


def test_import_statements(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    import os.path

    def native(name: str, fromlist: Any = None, level: int = 0) -> Any:
        return function("ppy_import_name")(sample.unit, sample.dict, name, fromlist, level)

    assert native("os.path") is os
    assert native("os.path", ("join",)) is os.path
    assert outcome(native, "no_such_module")[:2] == outcome(python, "import no_such_module")[:2]
    relative = outcome(native, "x", ("y",), 1)
    assert relative[:2] == outcome(python, "from .x import y", __name__="sample", __builtins__=builtins)[:2]
    calls: list[Any] = []

    def replacement(*args: Any) -> str:
        calls.append(args)
        return "imported"

    monkeypatch.setattr(builtins, "__import__", replacement)
    assert native("anything", ("a",), 2) == "imported"
    monkeypatch.undo()
    assert calls == [("anything", sample.dict, sample.dict, ("a",), 2)]


def test_names_from_modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    native = function("ppy_import_from")
    assert native(os, "path") is os.path
    partial = types.ModuleType("partial")
    child = types.ModuleType("partial.child")
    monkeypatch.setitem(sys.modules, "partial", partial)
    monkeypatch.setitem(sys.modules, "partial.child", child)
    assert native(partial, "child") is child
    for module, name in [(partial, "nothing"), (os, "nothing"), (5, "nothing")]:
        expected = outcome(_import_from, module, name)
        found = outcome(native, module, name)
        assert found[:2] == expected[:2]
    path = tmp_path / "circular_module.py"
    path.write_text("import sys\nfrom circular_module import later\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ImportError, match="circular import") as reference:
        __import__("circular_module")
    spec = types.SimpleNamespace(_initializing=True, origin=str(path), has_location=True)
    module = types.ModuleType("circular_module")
    module.__dict__.update(__spec__=spec, __file__=str(path))
    with pytest.raises(ImportError) as caught:
        native(module, "later")
    assert str(caught.value) == str(reference.value)
    assert (caught.value.name, caught.value.path) == (reference.value.name, reference.value.path)
    assert [entry.name for entry in caught.traceback] == ["test_names_from_modules"]


def _import_from(module: Any, name: str) -> Any:
    fake = {"__import__": lambda *_: module}
    return python(f"from anything import {name} as result", __builtins__=fake)


def test_import_star() -> None:
    def native(module: Any) -> Any:
        scope: dict[str, Any] = {}
        function("ppy_import_star")(module, scope)
        return scope

    def reference(module: Any) -> Any:
        namespace: dict[str, Any] = {"__builtins__": {"__import__": lambda *_: module}}
        exec("from anything import *", namespace)
        del namespace["__builtins__"]
        return namespace

    plain, listed, wrong, number = (types.ModuleType(name) for name in ("plain", "listed", "wrong", "number"))
    plain.__dict__.update(a=1, _b=2, c_=3)
    listed.__dict__.update(a=1, _b=2, __all__=["_b"])
    wrong.__dict__.update(__all__=["missing"])
    number.__dict__.update(__all__=[5])
    for module in (plain, listed, wrong, number, 5, types.SimpleNamespace(x=1)):
        assert outcome(native, module)[:2] == outcome(reference, module)[:2]
