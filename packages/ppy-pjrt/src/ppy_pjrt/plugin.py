"""A loaded plugin: one shared library, its version, attributes and extensions.

Takes a path (or lets ``discovery`` choose). Guarantees one ``Plugin`` per file and process; a library is never
unloaded, because handlers registered with it and threads it started would outlive it.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from .abi import Frame, enum, layout
from .api import Api, Table
from .errors import NotAPlugin, Unsupported
from .values import Value, decode

_loaded: dict[tuple[int, int], Plugin] = {}
_loading = threading.RLock()

# Extensions whose struct the table knows, by enumerator.
_STRUCTS = {
    "Profiler": "PJRT_Profiler_Extension",
    "Stream": "PJRT_Stream_Extension",
    "Layouts": "PJRT_Layouts_Extension",
    "FFI": "PJRT_FFI_Extension",
    "MemoryDescriptions": "PJRT_MemoryDescriptions_Extension",
    "Triton": "PJRT_Triton_Extension",
    "RawBuffer": "PJRT_RawBuffer_Extension",
    "PhaseCompile": "PJRT_PhaseCompile_Extension",
    "Shardings": "PJRT_Shardings_Extension",
    "AbiVersion": "PJRT_AbiVersion_Extension",
    "Gpu_Custom_Call": "PJRT_Gpu_Custom_Call",
}


class Extension:
    """One extension a plugin offers; ``table`` is None for a kind this client has no layout of."""

    __slots__ = ("address", "name", "size", "table", "type")

    def __init__(self, api: Api, address: int) -> None:
        head = Frame.at(layout("PJRT_Extension_Base"), address)
        self.address = address
        self.size: int = head["struct_size"]
        self.type: int = head["type"]
        names = {value: name for name, (value, _) in enum("PJRT_Extension_Type").items()}
        self.name = names.get(self.type, f"type {self.type}")
        struct = _STRUCTS.get(self.name)
        owner = f"{api.path} (PJRT {api.major}.{api.minor}), extension {self.name} of {self.size} bytes,"
        self.table = Table(owner, struct, address, self.size) if struct else None

    def has(self, entry: str) -> bool:
        """Whether the extension has an entry: its own struct_size decides, then NULL."""
        return self.table is not None and bool(self.table.pointer(entry))

    def __repr__(self) -> str:
        return f"<Extension {self.name} {self.size} bytes>"


class Plugin:
    """A PJRT plugin. ``Plugin(path)`` loads a file once; ``Plugin()`` or ``Plugin("cpu")`` finds one."""

    path: Path
    api: Api

    def __new__(cls, source: str | os.PathLike[str] | None = None, *, verbose: bool = False) -> Plugin:
        from .discovery import find_plugin

        path = find_plugin(source)
        with _loading:
            status = path.stat()
            key = (status.st_dev, status.st_ino)
            if key not in _loaded:
                self = super().__new__(cls)
                self.path = path
                self.api = Api(_load(path, verbose), str(path))
                _loaded[key] = self
            return _loaded[key]

    def __repr__(self) -> str:
        return f"<Plugin {self.path.name} PJRT {self.api.major}.{self.api.minor}>"

    @property
    def api_version(self) -> tuple[int, int]:
        """Major and minor of the PJRT C API the plugin was built with."""
        return self.api.major, self.api.minor

    @cached_property
    def extensions(self) -> tuple[Extension, ...]:
        """Everything in the plugin's extension chain, kinds unknown here included."""
        return tuple(self._chain())

    def _chain(self) -> Iterator[Extension]:
        start = layout("PJRT_Api").fields["extension_start"]
        address = int(ctypes.c_void_p.from_address(self.api.address + start.offset).value or 0)
        seen: set[int] = set()
        while address and address not in seen:
            seen.add(address)
            yield Extension(self.api, address)
            address = Frame.at(layout("PJRT_Extension_Base"), address)["next"]

    def extension(self, name: str) -> Extension | None:
        """The extension of that name (``"FFI"``, ``"Layouts"`` …), or None."""
        return next((item for item in self.extensions if item.name == name), None)

    def require(self, name: str) -> Extension:
        """The extension of that name; ``Unsupported`` with the list of those there are."""
        found = self.extension(name)
        if found is None:
            have = ", ".join(item.name for item in self.extensions) or "none"
            raise Unsupported(
                f"{self.path.name} (PJRT 0.{self.api.minor}) has no {name} extension; it has: {have}", name
            )
        return found

    def call_extension(self, extension: str, entry: str, args: str | None = None, **fields: Any) -> Frame:
        """Calls an entry of an extension, checked against the extension's own size."""
        table = self.require(extension).table
        assert table is not None, extension
        return self.api.call_in(table, entry, args or f"{entry}_Args", **fields)

    def initialize(self) -> None:
        """Runs the plugin's own set-up, once per process."""
        self._initialized  # noqa: B018

    @cached_property
    def _initialized(self) -> bool:
        self.api.call("PJRT_Plugin_Initialize")
        return True

    @cached_property
    def attributes(self) -> dict[str, Value]:
        """What the plugin says about itself; empty where it says nothing."""
        if not self.api.has("PJRT_Plugin_Attributes"):
            return {}
        frame = self.api.call("PJRT_Plugin_Attributes")
        return decode(frame["attributes"], frame["num_attributes"])

    @property
    def stablehlo_versions(self) -> tuple[str, str] | None:
        """Oldest and newest StableHLO version the plugin reads, as ``"1.2.3"``; None where it does not say."""
        low, high = (self.attributes.get(f"stablehlo_{end}_version") for end in ("minimum", "current"))
        if not isinstance(low, tuple) or not isinstance(high, tuple):
            return None
        return ".".join(map(str, low)), ".".join(map(str, high))

    @cached_property
    def platform(self) -> str:
        """``"cpu"``, ``"cuda"``, ``"rocm"``, ``"tpu"`` or ``"unknown"``, without creating a client."""
        from .discovery import platform_of

        return platform_of(self)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the library file: the identity of everything it compiles."""
        import hashlib

        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def _load(path: Path, verbose: bool) -> int:
    if not verbose and not os.environ.get("PPY_PJRT_LOG"):
        # Plugins log through absl, which reads this once; a value the user has set stays.
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    try:
        library = ctypes.CDLL(str(path), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        raise NotAPlugin(f"{path} cannot be loaded on this {os.uname().machine} machine: {error}") from None
    try:
        get = library.GetPjrtApi
    except AttributeError:
        raise NotAPlugin(f"{path} is a shared library without GetPjrtApi, so it is not a PJRT plugin") from None
    get.restype = ctypes.c_void_p
    address = get()
    if not address:
        raise NotAPlugin(f"{path}: GetPjrtApi returned NULL")
    return int(address)
