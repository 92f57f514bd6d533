"""Widths, refinements and ownership as annotations."""

from __future__ import annotations

import copy
import pickle
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import ppy
import pytest

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_widths(name: str) -> None:
    width = getattr(ppy, name)
    assert get_origin(width) is Annotated
    base, metadata = get_args(width)
    bits = int(name[1:])
    assert (base, metadata.bits, metadata.signed) == (int, bits, name[0] == "i")
    assert (metadata.low, metadata.high) == (
        (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if name[0] == "i" else (0, 2**bits - 1)
    )


@pytest.mark.parametrize("name", FLOATS)
def test_float_widths(name: str) -> None:
    assert get_args(getattr(ppy, name)) == (float, ppy.Float(name))


def test_as_annotations() -> None:
    def f(a: ppy.i32, b: Annotated[ppy.Buffer[ppy.f64], ppy.Contiguous, ppy.NoAlias], c: ppy.Dynamic) -> ppy.u8: ...

    hints = get_type_hints(f, globalns={"ppy": ppy, "Annotated": Annotated})
    assert hints == {"a": int, "b": ppy.Buffer[float] if False else hints["b"], "c": Any, "return": int}
    rich = get_type_hints(f, globalns={"ppy": ppy, "Annotated": Annotated}, include_extras=True)
    assert rich["b"].__metadata__ == (ppy.Contiguous, ppy.NoAlias)
    assert get_origin(rich["b"].__origin__) is ppy.Buffer


@pytest.mark.parametrize(("alias", "mode"), [(ppy.Owned, "owned"), (ppy.Borrowed, "borrowed"), (ppy.Mut, "mut")])
def test_ownership(alias: Any, mode: str) -> None:
    assert get_args(alias[list[int]]) == (list[int], ppy.Ownership(mode))
    assert get_args(alias[ppy.i32]) == (int, ppy.Int(32), ppy.Ownership(mode))


METADATA = [
    ppy.Int(8, False),
    ppy.Float("f32"),
    ppy.Range(0, 5),
    ppy.Range(None, 5.5),
    ppy.Length(3),
    ppy.Length(0, None),
    ppy.Shape(2, "n", None),
    ppy.DType("float64"),
    ppy.Ownership("mut"),
    ppy.Contiguous,
]


@pytest.mark.parametrize("value", METADATA, ids=repr)
def test_metadata_are_values(value: Any) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert twin == value
        assert hash(twin) == hash(value)
    assert [other for other in METADATA if other == value] == [value]
    with pytest.raises(AttributeError):
        value.anything = 1
    name = type(value).__slots__[0] if type(value).__slots__ else "name"
    with pytest.raises(AttributeError, match="is frozen"):
        setattr(value, name, 1)
    with pytest.raises(AttributeError, match="is frozen"):
        delattr(value, name)


def test_text() -> None:
    assert [repr(value) for value in METADATA[2:8]] == [
        "Range(0, 5)",
        "Range(None, 5.5)",
        "Length(3, 3)",
        "Length(0, None)",
        "Shape(2, 'n', None)",
        "DType('float64')",
    ]
    assert repr(ppy.NoAlias) == "ppy.NoAlias"


@pytest.mark.parametrize("make", [lambda: ppy.Range(5, 0), lambda: ppy.Length(-1), lambda: ppy.Length(3, 2)])
def test_empty_refinements_are_mistakes(make: Any) -> None:
    with pytest.raises(ValueError, match="is empty"):
        make()
    with pytest.raises(TypeError):
        ppy.Length(1, 2, 3)
