"""From a program to a loaded executable: compile, compile for a topology, load, with the cache in between."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .abi import Frame
from .api import Api
from .errors import ArgumentMismatch, InvalidArgument, PjrtError, Unknown
from .options import CompileOptions, encoded

if TYPE_CHECKING:
    from .cache import CompileCache
    from .client import Client
    from .executable import Executable


def program_frame(api: Api, program: str | bytes, form: str | None) -> Frame:
    """The C form of a program; ``form`` None tells text and bytecode from nothing else."""
    return api.frame("PJRT_Program", code=program_bytes(program), format=(form or "mlir").encode())


def program_bytes(program: str | bytes) -> bytes:
    """A program as the plugin gets it."""
    if not isinstance(program, (str, bytes, bytearray, memoryview)):
        raise ArgumentMismatch(f"a program is text or bytes, not a {type(program).__name__}")
    try:
        code = program.encode() if isinstance(program, str) else bytes(program)
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"the program is no Unicode text: {error}") from None
    if not code:
        raise InvalidArgument("the program is empty")
    return code


def compile(
    client: Client, program: str | bytes, options: CompileOptions | None, form: str | None, cache: CompileCache | None
) -> Executable:
    """``Client.compile``."""
    wanted = encoded(options, program)
    if cache is None:
        return _compile(client, program, wanted, form)
    key = cache.key(client, program, wanted, form)
    if (blob := cache.get(key)) is not None:
        try:
            return load_encoded(client, blob, b"")
        except PjrtError:
            # The plugin refuses what an equal plugin wrote: damaged in a way the digest did not see. Not an error.
            cache.drop(key)
    executable = _compile(client, program, wanted, form)
    try:
        cache.put(key, executable.serialize())
    except PjrtError:
        pass  # a plugin that cannot serialise is used without a cache
    return executable


def _compile(client: Client, program: str | bytes, options: bytes, form: str | None) -> Executable:
    from .executable import Executable

    try:
        frame = client.call(
            "PJRT_Client_Compile", program=program_frame(client.api, program, form), compile_options=options
        )
    except Unknown as error:
        # Parse errors come without a status of their own; the place in the program says what they are.
        if re.search(r":\d+:\d+: error:", error.message):
            raise InvalidArgument(error.message, error.payloads) from None
        raise
    return Executable(client, frame["executable"])


def load(client: Client, blob: bytes, options: CompileOptions | None) -> Executable:
    """``Client.load``."""
    return load_encoded(client, blob, encoded(options, b"") if options is not None else b"")


def load_encoded(client: Client, blob: bytes, options: bytes) -> Executable:
    """Loads a serialised executable, with overriding options where they are not empty (PJRT 0.71)."""
    from .executable import Executable

    if not isinstance(blob, (bytes, bytearray, memoryview)):
        raise ArgumentMismatch(f"a serialised executable is bytes, not a {type(blob).__name__}")
    if not blob:
        raise InvalidArgument("the serialised executable is empty")
    extra = {"overridden_serialized_compile_options": options} if options else {}
    frame = client.call("PJRT_Executable_DeserializeAndLoad", serialized_executable=bytes(blob), **extra)
    return Executable(client, frame["loaded_executable"])
