"""A plugin's own verdict on whether it can run an executable, through the AbiVersion extension."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .abi import Frame
from .errors import PjrtError
from .program import release

if TYPE_CHECKING:
    from .client import Client
    from .plugin import Plugin
    from .program import CompiledProgram


def executable_version(plugin: Plugin, program: CompiledProgram) -> bytes:
    """What a compiled program says about the runtime it needs, serialised."""
    frame = plugin.call_extension(
        "AbiVersion", "executable_get_abi_version", "PJRT_Executable_GetAbiVersion_Args", executable=program._inner()
    )
    with _owned(plugin, "executable", frame["abi_version"]) as version:
        return _proto(plugin, "executable", version)


def runtime_version(client: Client) -> bytes:
    """What a client's runtime says about itself, serialised."""
    with _runtime(client) as version:
        return _proto(client.plugin, "runtime", version)


def compatible(client: Client, version: bytes) -> PjrtError | None:
    """Why a client's runtime cannot run an executable of that version; None where it can."""
    plugin = client.plugin
    frame = plugin.call_extension(
        "AbiVersion", "executable_abi_version_from_proto", "PJRT_ExecutableAbiVersion_FromProto_Args",
        serialized_proto=version,
    )  # fmt: skip
    with _owned(plugin, "executable", frame["abi_version"]) as theirs, _runtime(client) as mine:
        try:
            plugin.call_extension(
                "AbiVersion", "runtime_abi_version_is_compatible_with_executable",
                "PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args", abi_version=mine,
                executable_abi_version=theirs,
            )  # fmt: skip
        except PjrtError as error:
            return error
    return None


@contextmanager
def _runtime(client: Client) -> Iterator[int]:
    frame = client.plugin.call_extension(
        "AbiVersion", "client_runtime_abi_version", "PJRT_Client_RuntimeAbiVersion_Args", client=client._live()
    )
    with _owned(client.plugin, "runtime", frame["abi_version"]) as version:
        yield version


def _args(kind: str, what: str) -> str:
    return f"PJRT_{kind.capitalize()}AbiVersion_{what}_Args"


@contextmanager
def _owned(plugin: Plugin, kind: str, version: int) -> Iterator[int]:
    try:
        yield version
    finally:
        plugin.call_extension("AbiVersion", f"{kind}_abi_version_destroy", _args(kind, "Destroy"), abi_version=version)


def _proto(plugin: Plugin, kind: str, version: int) -> bytes:
    frame: Frame = plugin.call_extension(
        "AbiVersion", f"{kind}_abi_version_to_proto", _args(kind, "ToProto"), abi_version=version
    )
    raw = frame.bytes("serialized_proto")
    release(frame["serialized_proto_deleter"], frame["serialized_proto_holder"])
    return raw
