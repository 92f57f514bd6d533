"""Tests for containers: what they are and every element in them. Iterators are not consumed."""

from __future__ import annotations

import collections
import collections.abc as abc
import typing
from typing import Any

from .. import _types as ppy
from .core import Active, Test, Validator, describe, expected, guarded, show

_ELEMENTS: tuple[type, ...] = (list, set, frozenset, collections.deque, abc.Sequence, abc.MutableSequence)
_ELEMENTS += (abc.Set, abc.MutableSet, abc.Collection, abc.KeysView, abc.ValuesView)
_MAPPINGS: tuple[type, ...] = (dict, collections.OrderedDict, collections.defaultdict, abc.Mapping, abc.MutableMapping)
_MAPPINGS += (collections.ChainMap,)
_INTEGER_FORMATS = frozenset("bBhHiIlLqQnN")
_FLOAT_FORMATS = frozenset("efd")


def test_of(wanted: Any, validator: Validator) -> Test | None:
    """The test of a type of this group, or None."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if wanted is ppy.Buffer or origin is ppy.Buffer:
        return _buffer(arguments[0] if arguments else Any)
    if not arguments and origin is not tuple:
        return None
    if origin is tuple:
        return _tuple(arguments, describe(wanted), validator)
    if origin is collections.Counter:
        return _mapping(origin, describe(wanted), validator(arguments[0]), validator(int))
    if origin in _MAPPINGS and len(arguments) == 2:
        return _mapping(origin, describe(wanted), validator(arguments[0]), validator(arguments[1]))
    if origin in _ELEMENTS and len(arguments) == 1:
        return _elements(origin, describe(wanted), validator(arguments[0]))
    return None


def _tuple(arguments: tuple[Any, ...], text: str, validator: Validator) -> Test:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _elements(tuple, text, validator(arguments[0]))
    items = [validator(argument) for argument in arguments]

    def test(value: Any, path: str, active: Active) -> str | None:
        if not isinstance(value, tuple):
            return expected(path, text, value)
        if len(value) != len(items):
            return f"{path}: expected {text}, got {len(value)} items: {show(value)}"
        for index, (item, inner) in enumerate(zip(value, items, strict=True)):
            problem = inner(item, f"{path}[{index}]", active)
            if problem is not None:
                return problem
        return None

    return guarded(test)


def _elements(cls: Any, text: str, inner: Test) -> Test:
    indexed = issubclass(cls, abc.Sequence)

    def test(value: Any, path: str, active: Active) -> str | None:
        if not isinstance(value, cls):
            return expected(path, text, value)
        if isinstance(value, str):  # its elements are strings without end: one look is all there is
            return None if not value else inner(value[0], f"{path}[0]", active)
        for index, item in enumerate(value):
            problem = inner(item, f"{path}[{index}]" if indexed else f"{path}{{{show(item)}}}", active)
            if problem is not None:
                return problem
        return None

    return guarded(test)


def _mapping(cls: Any, text: str, key_test: Test, value_test: Test) -> Test:
    def test(value: Any, path: str, active: Active) -> str | None:
        if not isinstance(value, cls):
            return expected(path, text, value)
        for key, item in value.items():
            problem = key_test(key, f"key of {path}", active) or value_test(item, f"{path}[{key!r}]", active)
            if problem is not None:
                return problem
        return None

    return guarded(test)


def _format_fits(element: Any, format: str, itemsize: int) -> bool:
    """Whether memory of this ``struct`` format holds elements of the type ``element``."""
    code = format.lstrip("@=<>!")
    base: Any = element
    metadata: tuple[Any, ...] = ()
    if typing.get_origin(element) is typing.Annotated:
        base, metadata = typing.get_args(element)[0], element.__metadata__
    if base is Any:
        return True
    for width in metadata:
        if isinstance(width, ppy.Int):
            signed = code.islower()
            return code in _INTEGER_FORMATS and itemsize * 8 == width.bits and signed == width.signed
        if isinstance(width, ppy.Float):
            return code in _FLOAT_FORMATS and width.format == f"f{itemsize * 8}"
    if base is int:
        return code in _INTEGER_FORMATS
    if base is float:
        return code in _FLOAT_FORMATS
    return base is bool and code == "?"


def _buffer(element: Any) -> Test:
    text = f"Buffer[{describe(element)}]"

    def test(value: Any, path: str, active: Active) -> str | None:
        try:
            view = memoryview(value)
        except TypeError:
            return expected(path, text, value)
        with view:
            if _format_fits(element, view.format, view.itemsize):
                return None
            return f"{path}: expected {text}, got elements of format {view.format!r} in {show(value)}"

    return test
