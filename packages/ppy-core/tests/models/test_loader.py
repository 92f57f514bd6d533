"""The stubs' rules."""

from __future__ import annotations

import pytest
from ppy_compiler.models import load, lookup, modelled_modules, parse
from ppy_compiler.models.loader import StubError

GOOD = '''
"""A module."""
from ppy_compiler.models.rungs import op, python

LIMIT: int

@op("twice", raises=("OverflowError",))
def twice(x: int, /) -> int: ...
@python("asks the object")
def twice(x: object, /) -> object: ...

class Box:
    @python("made by CPython", effects="pure")
    def __init__(self, size: int = ...) -> None: ...
    @op("size")
    def size(self) -> int: ...
'''


def test_entries() -> None:
    model = parse(GOOD, "mod")
    assert set(model.entries) == {"LIMIT", "twice", "Box", "Box.size"}
    first, second = model.entries["twice"].signatures
    assert (first.rung, first.target, first.raises, first.effects) == ("op", "twice", ("OverflowError",), "pure")
    assert (second.rung, second.effects, second.raises) == ("python", "runs", ("Exception",))
    assert first.required == first.most == 1
    box = model.entries["Box"]
    assert (box.kind, box.signatures[0].returns, box.signatures[0].required) == ("class", "Box", 0)
    size = model.entries["Box.size"]
    assert (size.kind, size.signatures[0].parameters[0].annotation) == ("method", "Box")
    assert model.entries["LIMIT"].annotation == "int"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: int) -> int: ...",
        '@op("a")\n@op("b")\ndef f(x: int) -> int: ...',
        '@op("a", effects="magic")\ndef f(x: int) -> int: ...',
        '@op("a", colour=1)\ndef f(x: int) -> int: ...',
        '@op("a")\ndef f(x: int): ...',
        "while True: pass",
    ],
)
def test_broken_stubs(text: str) -> None:
    with pytest.raises(StubError):
        parse(text, "mod")


def test_every_stub_parses() -> None:
    assert {"builtins", "math", "time", "sys", "random", "operator"} <= modelled_modules()
    for module in modelled_modules():
        assert load(module) is not None


def test_lookup() -> None:
    assert lookup("math.sqrt") is not None
    assert lookup("builtins.str.upper") is not None
    assert lookup("math.nothing") is None
    assert lookup("nosuchmodule.x") is None
    assert load("nosuchmodule") is None
