"""Signatures of native functions, as frozen data that goes through JSON unchanged.

The same dataclasses describe a function to the lowering that emits it and to the runtime that calls it. ``to_json``
leaves out fields that have their default, ``from_json`` refuses a field it does not know: a document written by a
newer contract must not be half understood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from . import KINDS, POINTER_KINDS, SCALAR_KINDS

Json = dict[str, object]


def _refuse_unknown(what: str, data: Mapping[str, object], known: tuple[str, ...]) -> None:
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise ValueError(f"{what} has unknown fields: {', '.join(unknown)}")


def _text(what: str, data: Mapping[str, object], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"{what}.{name} must be a string, not {value!r}")
    return value


def _items(what: str, data: Mapping[str, object], name: str) -> list[object]:
    value = data.get(name, [])
    if not isinstance(value, list | tuple):
        raise ValueError(f"{what}.{name} must be a list, not {value!r}")
    return list(value)


def _object(what: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {value!r}")
    return value


@dataclass(frozen=True, slots=True)
class NativeParam:
    """One source-level parameter (or result) and the machine values it expands to.

    ``kind`` is one of ``abi.KINDS``. ``element`` names the kind inside a buffer, pointer, handle or optional;
    ``elements`` the kinds of a tuple's items in order; ``fields`` the parameters a value class expands to, and
    ``class_name`` that class's qualified name.
    """

    name: str
    kind: str
    element: str = ""
    elements: tuple[str, ...] = ()
    fields: tuple[NativeParam, ...] = ()
    class_name: str = ""

    def __post_init__(self) -> None:
        for kind in (self.kind, *filter(None, (self.element,)), *self.elements):
            if kind not in KINDS:
                raise ValueError(f"parameter {self.name!r}: unknown kind {kind!r}")

    @property
    def is_scalar(self) -> bool:
        """Passed by value in one register."""
        return self.kind in SCALAR_KINDS

    @property
    def is_pointer(self) -> bool:
        """A ``ppy.native.ptr[T]``: one machine address, no Python boundary."""
        return self.kind in POINTER_KINDS

    @property
    def is_handle(self) -> bool:
        """A native collection: its handle, no Python boundary."""
        return self.kind == "handle"

    @property
    def is_borrowed(self) -> bool:
        """A ``ppy.Buffer[T]``: its memory is used in place for the length of the call."""
        return self.kind == "buffer"

    def to_json(self) -> Json:
        """This parameter as plain JSON data, defaults left out."""
        data: Json = {"name": self.name, "kind": self.kind}
        if self.element:
            data["element"] = self.element
        if self.elements:
            data["elements"] = list(self.elements)
        if self.fields:
            data["fields"] = [field.to_json() for field in self.fields]
        if self.class_name:
            data["class_name"] = self.class_name
        return data

    @classmethod
    def from_json(cls, value: object) -> NativeParam:
        """The parameter that ``value`` describes; ValueError says what is wrong with it."""
        data = _object("parameter", value)
        _refuse_unknown("parameter", data, tuple(field.name for field in fields(cls)))
        return cls(
            name=_text("parameter", data, "name"),
            kind=_text("parameter", data, "kind"),
            element=_text("parameter", data, "element", ""),
            elements=tuple(str(item) for item in _items("parameter", data, "elements")),
            fields=tuple(cls.from_json(item) for item in _items("parameter", data, "fields")),
            class_name=_text("parameter", data, "class_name", ""),
        )


@dataclass(frozen=True, slots=True)
class NativeSignature:
    """How one function is called natively.

    ``qualname`` is the function's ``__qualname__`` in its module, ``symbol`` the native function inside the unit.
    ``returns`` is the result as an unnamed parameter. ``cpu_features`` lists what the machine must have for this
    version of the function to be bound; ``future`` is the kind of value a coroutine's native future yields.
    """

    qualname: str
    symbol: str
    parameters: tuple[NativeParam, ...]
    returns: NativeParam
    releases_gil: bool = False
    cpu_features: tuple[str, ...] = ()
    future: str = ""

    def to_json(self) -> Json:
        """This signature as plain JSON data, defaults left out."""
        data: Json = {
            "qualname": self.qualname,
            "symbol": self.symbol,
            "parameters": [parameter.to_json() for parameter in self.parameters],
            "returns": self.returns.to_json(),
        }
        if self.releases_gil:
            data["releases_gil"] = True
        if self.cpu_features:
            data["cpu_features"] = list(self.cpu_features)
        if self.future:
            data["future"] = self.future
        return data

    @classmethod
    def from_json(cls, value: object) -> NativeSignature:
        """The signature that ``value`` describes; ValueError says what is wrong with it."""
        data = _object("signature", value)
        _refuse_unknown("signature", data, tuple(field.name for field in fields(cls)))
        return cls(
            qualname=_text("signature", data, "qualname"),
            symbol=_text("signature", data, "symbol"),
            parameters=tuple(NativeParam.from_json(item) for item in _items("signature", data, "parameters")),
            returns=NativeParam.from_json(data.get("returns")),
            releases_gil=bool(data.get("releases_gil", False)),
            cpu_features=tuple(str(item) for item in _items("signature", data, "cpu_features")),
            future=_text("signature", data, "future", ""),
        )
