"""Native entries on ordinary Python function objects.

A compiled function is the function object that Python made: its native entry is installed on that very object (by
``PyFunction_SetVectorcall`` where call sites honour it, by a static subtype of the function type on 3.11), so identity,
``inspect``, ``pickle``, decorators and method binding hold. Units bind their functions themselves, in the support
library, as the functions are created; this module is the view from Python: ask whether and how a function runs
natively, give it back to the interpreter, bind it again.

Nothing here is needed to run a program, and nothing here restarts a call: native code that cannot go on continues in
general code from that point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from .abi import FUNCTION_NATIVE, NativeParam, NativeSignature
from .launch.finder import unit_at
from .launch.native import support_library

if TYPE_CHECKING:
    import ctypes

SPECIALIZATION_LIMIT = 8
"""How many versions of one function ``@ppy.specialize`` may make."""


class SanitizerFailure(RuntimeError):
    """A check of a sanitized build failed in native code: ``kind`` is the check, ``function`` where it was."""

    def __init__(self, kind: str, function: str, detail: str = "") -> None:
        super().__init__(f"{kind} in {function}" + (f": {detail}" if detail else ""))
        self.kind = kind
        self.function = function


class GuardFailed(Exception):
    """What a native entry requires does not hold for this function object, so Python's own code runs it."""


@dataclass(frozen=True, slots=True)
class NativeBinding:
    """A function object and the native code it runs: ``address`` is that of its entry."""

    function: FunctionType
    signature: NativeSignature
    address: int


_remembered: WeakKeyDictionary[CodeType, NativeSignature] = WeakKeyDictionary()


def _function(callable_: object) -> FunctionType | None:
    """The function object behind a function or a bound method."""
    inner = callable_.__func__ if isinstance(callable_, MethodType) else callable_
    return inner if isinstance(inner, FunctionType) else None


def _entry(function: FunctionType) -> int | None:
    """The address of the function's native entry, None when calling it runs its bytecode. The interpreter itself is
    asked: the same on every Python, whoever installed the entry."""
    import ctypes

    lookup = ctypes.pythonapi.PyVectorcall_Function
    lookup.restype = ctypes.c_void_p
    lookup.argtypes = (ctypes.py_object,)
    address = lookup(function)
    return None if address == lookup(_function) else int(address)


def remember(function: FunctionType, signature: NativeSignature) -> None:
    """Record the native signature of a function's code, for entries that no manifest describes."""
    _remembered[function.__code__] = signature


def _recorded(code: CodeType) -> NativeSignature | None:
    """The signature that a manifest in use records for a code object. A record without one still says that the entry
    is native: it takes and returns objects."""
    served = unit_at(code.co_filename)
    if served is None:
        return None
    program, module = served
    for record in program.modules[module]["functions"]:
        if record["qualname"] == code.co_qualname and record["status"] == FUNCTION_NATIVE:
            if "signature" in record:
                return NativeSignature.from_json(record["signature"])
            return _of_objects(code, record["symbol"])
    return None


def _of_objects(code: CodeType, symbol: str) -> NativeSignature:
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    parameters = tuple(NativeParam(name, "object") for name in names)
    return NativeSignature(code.co_qualname, symbol, parameters, NativeParam("", "object"))


def signature_of(function: object) -> NativeSignature | None:
    """The native signature that calling ``function`` runs under here, or None when the call is Python's."""
    plain = _function(function)
    if plain is None or _entry(plain) is None:
        return None
    code = plain.__code__
    return _remembered.get(code) or _recorded(code) or _of_objects(code, "")


def adopt(function: object) -> NativeBinding:
    """The binding of a function that runs natively already; GuardFailed when it does not."""
    plain = _function(function)
    signature = signature_of(plain)
    address = None if plain is None else _entry(plain)
    if plain is None or signature is None or address is None:
        raise GuardFailed(f"{function!r} does not run natively here")
    return NativeBinding(plain, signature, address)


def _support() -> ctypes.PyDLL:
    library = support_library()
    if library is None:
        raise GuardFailed("no native code is in use in this process")
    return library


def bind(function: FunctionType) -> NativeBinding:
    """Install on ``function`` the native entry that a loaded unit has for its code; GuardFailed when none has one. For
    a function given back with ``unbind``, or made by hand from a compiled function's code."""
    import ctypes

    try:
        rebind = _support().ppy_rebind
    except AttributeError:
        raise GuardFailed("this support library binds functions only as they are created") from None
    rebind.argtypes = (ctypes.py_object,)
    if not rebind(function):
        raise GuardFailed(f"no unit in use has native code for {function!r}")
    return adopt(function)


def unbind(function: FunctionType) -> None:
    """Give ``function`` back to the interpreter: it runs its bytecode from the next call on."""
    import ctypes

    release = _support().ppy_unbind
    release.argtypes = (ctypes.py_object,)
    release.restype = None
    release(function)


def observation_wanted(function: object, versions: int) -> bool:
    """Whether calls of ``function`` are still to be observed for specialised versions, ``versions`` being there
    already: it asks for them with ``@ppy.specialize``, and there is room for more."""
    said: Mapping[str, Any] = getattr(_function(function), "__ppy__", {})
    return "specialize" in said and versions < SPECIALIZATION_LIMIT


def value_class_types(signature: NativeSignature, function: FunctionType) -> tuple[type, ...] | None:
    """The classes whose exact instances the entry's value parameters expect, in order, resolved where ``function`` was
    defined; None when one of them cannot be seen from there: no native entry rather than a wrong one."""
    found: list[type] = []
    for parameter in signature.parameters:
        if parameter.kind != "value":
            continue
        head, *rest = parameter.class_name.split(".")
        value: object = function.__globals__.get(head)
        for name in rest:
            value = getattr(value, name, None)
        if not isinstance(value, type):
            return None
        found.append(value)
    return tuple(found)
