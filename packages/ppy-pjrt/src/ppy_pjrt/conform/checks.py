"""The checks. Each takes a plugin path, runs in a process of its own, and returns a word on what it saw.

A check passes by returning, is *absent* when ``Unsupported`` or ``Unimplemented`` says so, and fails by anything else.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from ..buffer import Buffer
from ..client import Client
from ..create import Promise, error_buffer
from ..errors import HandleClosed, PjrtError, Unimplemented
from ..executable import Executable
from ..plugin import Plugin
from ..transfer import AsyncTransfer

Check = Callable[[str], str]
CHECKS: dict[str, Check] = {}

ADD = """module @add { func.func public @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
} }"""
DONATE = """module @step { func.func public @main(%a: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
} }"""


def check(group: str) -> Callable[[Check], Check]:
    """Files a check under a group."""

    def file(function: Check) -> Check:
        CHECKS[f"{group}.{function.__name__}"] = function
        return function

    return file


def floats(*values: float) -> bytes:
    """Floats as bytes."""
    return struct.pack(f"{len(values)}f", *values)


def client_of(path: str) -> Client:
    """A client of the plugin."""
    return Client(Plugin(path))


def put_floats(client: Client) -> Buffer:
    """Six floats on the device."""
    return client.put(floats(0, 1, 2, 3, 4, 5), dtype="float32", shape=(2, 3))


def add(path: str) -> tuple[Client, Executable, Buffer]:
    """A client, a program that adds, and an argument for it."""
    client = client_of(path)
    return client, client.compile(ADD), put_floats(client)


def expect(condition: bool, what: str) -> None:
    """Fails the check where something does not hold."""
    if not condition:
        raise AssertionError(what)


@check("plugin")
def loads(path: str) -> str:
    plugin = Plugin(path)
    return f"PJRT {plugin.api.major}.{plugin.api.minor}, {plugin.api.slots} entries"


@check("plugin")
def attributes(path: str) -> str:
    return ", ".join(sorted(Plugin(path).attributes)) or "none"


@check("plugin")
def extensions(path: str) -> str:
    return ", ".join(f"{item.name}({item.size})" for item in Plugin(path).extensions) or "none"


@check("client")
def create(path: str) -> str:
    client = client_of(path)
    return f"{client.platform} {client.platform_version}, process {client.process_index}"


@check("client")
def close_and_reopen(path: str) -> str:
    for _ in range(3):
        client_of(path).close()
    return "three times"


@check("client")
def devices(path: str) -> str:
    client = client_of(path)
    expect(bool(client.devices), "no addressable device")
    expect(len({device.id for device in client.all_devices}) == len(client.all_devices), "two devices share an id")
    return f"{len(client.devices)} x {client.devices[0].kind}"


@check("client")
def lookup(path: str) -> str:
    client = client_of(path)
    device = client.devices[0]
    expect(client.lookup_device(device.id) is device, "lookup gives another device")
    return f"device {device.id}, hardware {client.lookup_local(device.local_hardware_id).local_hardware_id}"


@check("client")
def lookup_of_nothing(path: str) -> str:
    try:
        client_of(path).lookup_device(10**6)
    except PjrtError as error:
        return type(error).__name__
    raise AssertionError("a device that does not exist was found")


@check("client")
def device_assignment(path: str) -> str:
    return str(client_of(path).default_device_assignment(1))


@check("memory")
def memories(path: str) -> str:
    client = client_of(path)
    expect(
        client.devices[0].default_memory in client.devices[0].memories, "the default memory is not one of the device's"
    )
    return ", ".join(memory.kind for memory in client.devices[0].memories)


@check("memory")
def stats(path: str) -> str:
    return ", ".join(client_of(path).devices[0].memory_stats())


@check("memory")
def copies_between_memories(path: str) -> str:
    client = client_of(path)
    source = put_floats(client)
    for memory in client.devices[0].memories:
        expect(bytes(source.copy_to(memory).to_host().cast("B")) == bytes(source.to_host().cast("B")), memory.kind)
    return str(len(client.devices[0].memories))


@check("buffer")
def round_trip(path: str) -> str:
    client = client_of(path)
    done = 0
    for name in (
        "bool",
        "int8",
        "int32",
        "int64",
        "uint8",
        "uint32",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex64",
    ):
        raw = bytes([0, 1] * 32) if name == "bool" else bytes(range(64))
        expect(bytes(client.put(raw, dtype=name).to_host().cast("B")) == raw, f"{name} comes back changed")
        done += 1
    return f"{done} element types"


@check("buffer")
def narrow_types(path: str) -> str:
    client, seen = client_of(path), []
    for name in ("int4", "uint4", "float8_e5m2", "float8_e4m3fn"):
        raw = bytes([0, 1, 2, 3, 4, 5, 6, 7])
        expect(bytes(client.put(raw, dtype=name).to_host().cast("B")) == raw, f"{name} comes back changed")
        seen.append(name)
    return ", ".join(seen)


@check("buffer")
def empty_array(path: str) -> str:
    expect(client_of(path).put(b"", dtype="float32", shape=(0, 3)).to_host().nbytes == 0, "bytes out of nothing")
    return "ok"


@check("buffer")
def metadata(path: str) -> str:
    client = client_of(path)
    buffer = put_floats(client)
    facts = client.api.call("PJRT_Buffer_Dimensions", buffer=buffer._live())
    expect(facts["num_dims"] == 2, "wrong rank")
    return f"{buffer.on_device_nbytes} bytes, layout {buffer.layout}"


@check("buffer")
def ready_event(path: str) -> str:
    put_floats(client_of(path)).ready().wait(30)
    return "ok"


@check("buffer")
def delete(path: str) -> str:
    buffer = put_floats(client_of(path))
    buffer.delete()
    try:
        buffer.to_host()
    except HandleClosed:
        return "ok"
    raise AssertionError("a deleted buffer was read")


@check("buffer")
def raw_read(path: str) -> str:
    expect(put_floats(client_of(path)).read_bytes(4, 4) == floats(1), "wrong bytes at an offset")
    return "ok"


@check("buffer")
def uninitialized(path: str) -> str:
    return str(client_of(path).empty("float32", (4,)).on_device_nbytes)


@check("buffer")
def error_reaches_reader(path: str) -> str:
    buffer = error_buffer(client_of(path), "ABORTED", "on purpose", "float32", (4,))
    try:
        buffer.to_host()
    except Unimplemented:
        raise
    except PjrtError as error:
        expect("on purpose" in str(error), f"another message: {error}")
        return type(error).__name__
    raise AssertionError("the error did not reach the reader")


@check("buffer")
def promise(path: str) -> str:
    client = client_of(path)
    given = Promise(client, "float32", (2, 3))
    given.fulfil(put_floats(client))
    expect(bytes(given.buffer.to_host().cast("B")) == floats(0, 1, 2, 3, 4, 5), "another content")
    return "ok"


@check("buffer")
def bitcast(path: str) -> str:
    return str(put_floats(client_of(path)).bitcast("int32", (6,)).tolist()[:2])


@check("buffer")
def pieces(path: str) -> str:
    transfer = AsyncTransfer(client_of(path), [("float32", (4,))])
    transfer.send(0, floats(1, 2), last=False).wait()
    transfer.send(0, floats(3, 4), offset=8).wait()
    expect(transfer.buffers[0].tolist() == [1, 2, 3, 4], "the pieces do not fit together")
    return "two"
