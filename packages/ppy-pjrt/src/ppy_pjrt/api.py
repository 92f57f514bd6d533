"""The function table of one loaded plugin: what exists in it, and calls with checked frames.

Takes the address of a ``PJRT_Api``. Guarantees that nothing past the plugin's own struct sizes is read, that a missing
entry or field raises ``Unsupported`` with the version that has it, and that every error object is destroyed once.
"""

from __future__ import annotations

import ctypes
import os
import struct
import weakref
from collections.abc import Callable
from typing import Any

from .abi import PJRT_MINOR, Frame, enum, layout
from .errors import ArgumentMismatch, ForkedProcess, IncompatiblePlugin, PjrtError, Unsupported, error_for

# Below this minor the table has another order under the same major version.
OLDEST_MINOR = 57

# Entries release the GIL: any of them may run a Python callback on another thread before it returns.
ENTRY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
# The same without a declared argument: a prepared `byref` object goes in unconverted.
BY_REFERENCE = ctypes.CFUNCTYPE(ctypes.c_void_p)
_VISITOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

Entry = Callable[[int], "int | None"]

# Whatever must be told that this process is a forked child: objects with a `_poison` method.
forkable: weakref.WeakSet[Any] = weakref.WeakSet()


class Table:
    """A C struct of function pointers (the main table or an extension), bounded by its own ``struct_size``."""

    __slots__ = ("_entries", "address", "name", "owner", "size")

    def __init__(self, owner: str, name: str, address: int, size: int) -> None:
        self.owner = owner
        self.name = name
        self.address = address
        self.size = size
        self._entries: dict[str, Entry] = {}

    def pointer(self, name: str) -> int:
        """The function pointer of an entry, 0 where the plugin does not have it."""
        field = layout(self.name).fields[name]
        if field.end > self.size:
            return 0
        raw = (ctypes.c_char * 8).from_address(self.address + field.offset)
        return int(field.unpack_from(raw, 0)[0])

    def entry(self, name: str) -> Entry:
        """The callable of an entry; ``Unsupported`` where it is missing."""
        found = self._entries.get(name)
        if found is None:
            pointer = self.pointer(name)
            if not pointer:
                since = layout(self.name).fields[name].high
                raise Unsupported(f"{self.owner} has no {name}{_came(since)}", name, since)
            found = self._entries[name] = ENTRY(pointer)
        return found

    def entry_by_reference(self, name: str) -> Any:
        """The callable of an entry, to be given a ``byref`` of its argument struct."""
        self.entry(name)
        return BY_REFERENCE(self.pointer(name))


def _came(since: int) -> str:
    return f" (PJRT 0.{since} has it)" if since else ""


class Api:
    """The main table of a plugin. One per loaded file and process."""

    def __init__(self, address: int, path: str) -> None:
        # Only the first fields, which every version has, are read before the sizes are known.
        head = Frame.at(
            layout("PJRT_Api_Version"), address + layout("PJRT_Api").fields["pjrt_api_version.struct_size"].offset
        )
        size = int(ctypes.c_size_t.from_address(address).value)
        self.address = address
        self.path = path
        self.major: int = head["major_version"]
        self.minor: int = head["minor_version"]
        self.struct_size = size
        self._check_version()
        self.table = Table(f"{path} (PJRT {self.major}.{self.minor})", "PJRT_Api", address, size)
        self.forked = False
        # The context of executions that name none, once user data exists: XLA reads a missing one without looking.
        self.empty_context = 0
        self.handle_classes: weakref.WeakSet[Any] = weakref.WeakSet()
        self.getters: weakref.WeakSet[Fields] = weakref.WeakSet()
        self._sizes: dict[str, int] = {}
        self._destroy_error = self.table.entry("PJRT_Error_Destroy")
        forkable.add(self)

    def _check_version(self) -> None:
        if self.major != 0 or self.minor < OLDEST_MINOR:
            why = "its function table has another order" if self.major == 0 else "another major version"
            raise IncompatiblePlugin(
                f"{self.path} speaks PJRT {self.major}.{self.minor}: {why}; this client speaks 0.{OLDEST_MINOR} to "
                f"0.{PJRT_MINOR} and later 0.x"
            )

    @property
    def slots(self) -> int:
        """How many entries the plugin's table has."""
        first = layout("PJRT_Api").fields["PJRT_Error_Destroy"].offset
        return (self.struct_size - first) // 8

    def has(self, name: str) -> bool:
        """Whether the plugin has an entry of the main table."""
        return bool(self.table.pointer(name))

    def frame(self, name: str, **fields: Any) -> Frame:
        """A struct of that name for this plugin, its size declared, its fields set."""
        frame = Frame(layout(name))
        size = self._sizes.get(name)
        if size is None:
            size = self._sizes[name] = frame.layout.size_for(self.minor)
        if "struct_size" in frame.layout.fields:
            frame["struct_size"] = size
        for key, value in fields.items():
            if frame.layout.fields[key].high > self.minor and value:
                since = frame.layout.fields[key].high
                raise Unsupported(f"{self.table.owner} has no {name}.{key}{_came(since)}", key, since)
            try:
                frame[key] = value
            except (struct.error, TypeError, OverflowError) as error:
                what = f"{key} = {value!r} cannot be passed to {name.removesuffix('_Args')}"
                raise ArgumentMismatch(f"{what}: {error}") from None
        return frame

    def call(self, name: str, **fields: Any) -> Frame:
        """Calls an entry of the main table; gives back its frame, with what the plugin filled in."""
        return self.call_in(self.table, name, f"{name}_Args", **fields)

    def call_in(self, table: Table, name: str, args: str, **fields: Any) -> Frame:
        """Calls an entry of any table with a named argument struct."""
        if self.forked:
            raise ForkedProcess(_FORKED)
        entry = table.entry(name)
        frame = self.frame(args, **fields)
        error = entry(frame.address)
        if error:
            raise self.take_error(error)
        return frame

    def take_error(self, error: int) -> PjrtError:
        """The exception of an error object, which is destroyed."""
        try:
            message = self._unchecked("PJRT_Error_Message", error=error).text("message")
            code = self._unchecked("PJRT_Error_GetCode", error=error)["code"]
            return error_for(code, message, self._payloads(error))
        finally:
            self._destroy(error)

    def _destroy(self, error: int) -> None:
        """Destroys an error object. The frame has to live until the plugin has read it."""
        frame = self.frame("PJRT_Error_Destroy_Args", error=error)
        self._destroy_error(frame.address)

    def _unchecked(self, name: str, **fields: Any) -> Frame:
        frame = self.frame(f"{name}_Args", **fields)
        second = self.table.entry(name)(frame.address)
        if second and name != "PJRT_Error_Message":
            self._destroy(second)
        return frame

    def _payloads(self, error: int) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        if not self.has("PJRT_Error_ForEachPayload"):
            return found

        def visit(key: int, key_size: int, value: int, value_size: int, _: int) -> None:
            found[ctypes.string_at(key, key_size).decode("utf-8", "replace")] = ctypes.string_at(value, value_size)

        visitor = _VISITOR(visit)
        pointer = ctypes.cast(visitor, ctypes.c_void_p).value
        self._unchecked("PJRT_Error_ForEachPayload", error=error, visitor=pointer)
        return found

    def drop_error(self, error: int) -> None:
        """Destroys an error nobody can be told about (from a finaliser)."""
        self._destroy(error)

    def _poison(self) -> None:
        self.forked = True
        for kind in list(self.handle_classes):
            # A forked child must not free what belongs to the parent's threads and devices.
            if isinstance(kind, type):
                type.__setattr__(kind, "__del__", _nothing)
            else:
                kind.poison()
        for fields in list(self.getters):
            fields._pool = []


def _nothing(_: int) -> None:
    pass


_FORKED = (
    "this process was forked after the plugin was loaded, and plugins (their threads, their device state) do not "
    "survive fork: start the worker with the 'spawn' method, or create the client after forking"
)


def _after_fork() -> None:
    for item in list(forkable):
        item._poison()


os.register_at_fork(after_in_child=_after_fork)


def buffer_type_since(code: int) -> int:
    """The first minor known to have a buffer element type."""
    return next((since for value, since in enum("PJRT_Buffer_Type").values() if value == code), PJRT_MINOR + 1)


class Fields:
    """A fast call of an entry: one handle goes in, at most one field comes out; its struct is pooled, not built."""

    __slots__ = ("__weakref__", "_api", "_fresh", "_function", "_given_at", "_pack", "_pool", "_unpack", "_wanted_at")

    def __init__(self, api: Api, entry: str, subject: str, result: str | None = None) -> None:
        args = layout(f"{entry}_Args")
        given, wanted = args.fields[subject], args.fields[result or subject]
        self._api = api
        self._pack, self._given_at = given.pack_into, given.offset
        self._unpack, self._wanted_at = wanted.unpack_from, wanted.offset
        self._function = api.table.entry_by_reference(entry)
        self._pool: list[tuple[Any, Any]] = []
        self._fresh = args.name

    def __call__(self, handle: int) -> Any:
        try:
            kit = self._pool.pop()
        except IndexError:
            if self._api.forked:
                raise ForkedProcess(_FORKED) from None
            frame = self._api.frame(self._fresh)
            kit = frame.raw, ctypes.byref(frame.raw)
        self._pack(kit[0], self._given_at, handle)
        error = self._function(kit[1])
        value = self._unpack(kit[0], self._wanted_at)[0]
        if error:
            raise self._api.take_error(error)
        self._pool.append(kit)
        return value


def getter(api: Api, entry: str, subject: str, result: str | None = None) -> Callable[[int], Any]:
    """A fast call of an entry that takes one handle and fills one field."""
    fields = Fields(api, entry, subject, result)
    api.getters.add(fields)
    return fields
