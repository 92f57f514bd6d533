"""Tests for ``Annotated``: widths and refinements of ``ppy``; metadata of others is left to those it is for."""

from __future__ import annotations

import math
import struct
import typing
from typing import Any

from .. import _types as ppy
from .core import Active, Test, Validator, expected, show

_QUALIFIERS: tuple[Any, ...] = (typing.Required, typing.NotRequired, typing.ClassVar, typing.Final)
_QUALIFIERS += (getattr(typing, "ReadOnly", typing.Final),)
_STRUCT = {"f16": "<e", "f32": "<f", "f64": "<d"}


def test_of(wanted: Any, validator: Validator) -> Test | None:
    """The test of a type of this group, or None."""
    origin = typing.get_origin(wanted)
    if origin in _QUALIFIERS:
        return validator(typing.get_args(wanted)[0])
    if origin is not typing.Annotated:
        return None
    base = validator(typing.get_args(wanted)[0])
    tests = [made for made in map(_of_metadata, wanted.__metadata__) if made is not None]

    def test(value: Any, path: str, active: Active) -> str | None:
        problem = base(value, path, active)
        for refinement in tests:
            problem = problem or refinement(value, path, active)
        return problem

    return test


def _of_metadata(metadata: Any) -> Test | None:
    if isinstance(metadata, ppy.Int):
        return _integer(metadata)
    if isinstance(metadata, ppy.Float):
        return _float(metadata)
    if isinstance(metadata, ppy.Range):
        return _range(metadata)
    if isinstance(metadata, ppy.Length):
        return _length(metadata)
    if isinstance(metadata, ppy.Shape):
        return _shape(metadata)
    if isinstance(metadata, ppy.DType):
        return _dtype(metadata)
    if metadata is ppy.Contiguous:
        return _contiguous
    return None


def _integer(width: ppy.Int) -> Test:
    name = f"{'i' if width.signed else 'u'}{width.bits}"
    low, high = width.low, width.high

    def test(value: Any, path: str, active: Active) -> str | None:
        return None if low <= value <= high else f"{path}: {show(value)} does not fit {name} ({low} to {high})"

    return test


def fits_float(value: float, format: str) -> bool:
    """Whether the format holds exactly this value."""
    if not math.isfinite(value) or format == "f64":
        return True
    if format == "bf16":  # the upper half of an f32
        return fits_float(value, "f32") and struct.pack(">f", value)[2:] == b"\0\0"
    try:
        return bool(struct.unpack(_STRUCT[format], struct.pack(_STRUCT[format], value))[0] == value)
    except OverflowError:
        return False


def _float(width: ppy.Float) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        return None if fits_float(value, width.format) else f"{path}: {show(value)} is no value of {width.format}"

    return test


def _range(bounds: ppy.Range) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        if (bounds.lo is None or value >= bounds.lo) and (bounds.hi is None or value <= bounds.hi):
            return None
        return f"{path}: {show(value)} is not in {bounds!r}"

    return test


def _length(bounds: ppy.Length) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        if len(value) >= bounds.lo and (bounds.hi is None or len(value) <= bounds.hi):
            return None
        return f"{path}: length {len(value)} is not in {bounds!r}"

    return test


def _shape(shape: ppy.Shape) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        actual: Any = getattr(value, "shape", None)
        if actual is None:
            try:
                actual = memoryview(value).shape
            except TypeError:
                return expected(path, f"something with {shape!r}", value)
        named: dict[str, int] = {}
        fits = len(actual) == len(shape.dims)
        for dim, extent in zip(shape.dims, actual, strict=False):
            if isinstance(dim, str):
                dim = named.setdefault(dim, extent)
            fits = fits and (dim is None or dim == extent)
        return None if fits else f"{path}: shape {tuple(actual)} is not {shape!r}"

    return test


def _dtype(wanted: ppy.DType) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        dtype = getattr(value, "dtype", None)
        if dtype is not None and str(getattr(dtype, "name", dtype)) == wanted.name:
            return None
        return f"{path}: expected dtype {wanted.name}, got {dtype if dtype is not None else show(value)}"

    return test


def _contiguous(value: Any, path: str, active: Active) -> str | None:
    try:
        contiguous = memoryview(value).c_contiguous
    except TypeError:
        return expected(path, "a buffer", value)
    return None if contiguous else f"{path}: {show(value)} is not contiguous"
