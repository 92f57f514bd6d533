"""Run compiled ML programs on any PJRT plugin, with no dependencies.

    import ppy_pjrt

    client = ppy_pjrt.Client("cpu")
    exe = client.compile(stablehlo_text)
    (out,) = exe(x, y)            # NumPy arrays, array.array, memoryview, torch or jax arrays, or buffers
    print(out.shape, out.dtype, out.to_host())

Names are loaded when first used, so importing this package costs a few milliseconds.
"""

from __future__ import annotations

# As type checkers know it; `typing` itself would be most of the cost of this import.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from . import cuda as cuda
    from . import errors as errors
    from . import ffi as ffi
    from . import triton as triton
    from .artifact import Artifact as Artifact
    from .buffer import Buffer as Buffer
    from .cache import CompileCache as CompileCache
    from .client import Client as Client
    from .create import Promise as Promise
    from .create import error_buffer as error_buffer
    from .device import Device as Device
    from .device import Memory as Memory
    from .discovery import find_plugin as find_plugin
    from .dtypes import DType as DType
    from .errors import PjrtError as PjrtError
    from .event import Event as Event
    from .executable import Executable as Executable
    from .execute import Context as Context
    from .kv import FileStore as FileStore
    from .kv import InMemoryStore as InMemoryStore
    from .kv import KeyValueStore as KeyValueStore
    from .kv_tcp import TcpServer as TcpServer
    from .kv_tcp import TcpStore as TcpStore
    from .options import CompileOptions as CompileOptions
    from .plugin import Extension as Extension
    from .plugin import Plugin as Plugin
    from .session import Session as Session
    from .session import Slot as Slot
    from .topology import Topology as Topology
    from .transfer import AsyncTransfer as AsyncTransfer

__version__ = "0.1.0"

_HOMES = {
    "Artifact": "artifact",
    "AsyncTransfer": "transfer",
    "Buffer": "buffer",
    "Client": "client",
    "CompileCache": "cache",
    "CompileOptions": "options",
    "Context": "execute",
    "DType": "dtypes",
    "Device": "device",
    "Event": "event",
    "Executable": "executable",
    "Extension": "plugin",
    "FileStore": "kv",
    "InMemoryStore": "kv",
    "KeyValueStore": "kv",
    "Memory": "device",
    "PjrtError": "errors",
    "Plugin": "plugin",
    "Promise": "create",
    "Session": "session",
    "Slot": "session",
    "TcpServer": "kv_tcp",
    "TcpStore": "kv_tcp",
    "Topology": "topology",
    "error_buffer": "create",
    "find_plugin": "discovery",
}
_MODULES = ("cuda", "errors", "ffi", "profiler", "triton")

__all__ = [*_HOMES, *_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
