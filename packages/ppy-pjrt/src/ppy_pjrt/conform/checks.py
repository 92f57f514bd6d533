"""The checks. Each takes a plugin path, runs in a process of its own, and returns a word on what it saw.

A check passes by returning, is *absent* when ``Unsupported`` or ``Unimplemented`` says so, and fails by anything else.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..buffer import Buffer
from ..client import Client
from ..create import Promise, error_buffer
from ..errors import HandleClosed, InvalidArgument, NotFound, PjrtError, Unimplemented
from ..event import Event
from ..executable import Executable
from ..layouts import default_layout, executable_layouts, layout_text
from ..plugin import Plugin
from ..topology import Topology
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


def _floats(*values: float) -> bytes:
    return struct.pack(f"{len(values)}f", *values)


def _client(path: str) -> Client:
    return Client(Plugin(path))


def _put(client: Client) -> Buffer:
    return client.put(_floats(0, 1, 2, 3, 4, 5), dtype="float32", shape=(2, 3))


def _add(path: str) -> tuple[Client, Executable, Buffer]:
    client = _client(path)
    return client, client.compile(ADD), _put(client)


def _expect(condition: bool, what: str) -> None:
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
    client = _client(path)
    return f"{client.platform} {client.platform_version}, process {client.process_index}"


@check("client")
def close_and_reopen(path: str) -> str:
    for _ in range(3):
        _client(path).close()
    return "three times"


@check("client")
def devices(path: str) -> str:
    client = _client(path)
    _expect(bool(client.devices), "no addressable device")
    _expect(len({device.id for device in client.all_devices}) == len(client.all_devices), "two devices share an id")
    return f"{len(client.devices)} x {client.devices[0].kind}"


@check("client")
def lookup(path: str) -> str:
    client = _client(path)
    device = client.devices[0]
    _expect(client.lookup_device(device.id) is device, "lookup gives another device")
    return f"device {device.id}, hardware {client.lookup_local(device.local_hardware_id).local_hardware_id}"


@check("client")
def lookup_of_nothing(path: str) -> str:
    try:
        _client(path).lookup_device(10**6)
    except PjrtError as error:
        return type(error).__name__
    raise AssertionError("a device that does not exist was found")


@check("client")
def device_assignment(path: str) -> str:
    return str(_client(path).default_device_assignment(1))


@check("memory")
def memories(path: str) -> str:
    client = _client(path)
    _expect(client.devices[0].default_memory in client.devices[0].memories, "the default memory is not one of the device's")
    return ", ".join(memory.kind for memory in client.devices[0].memories)


@check("memory")
def stats(path: str) -> str:
    return ", ".join(_client(path).devices[0].memory_stats())


@check("memory")
def copies_between_memories(path: str) -> str:
    client = _client(path)
    source = _put(client)
    for memory in client.devices[0].memories:
        _expect(bytes(source.copy_to(memory).to_host().cast("B")) == bytes(source.to_host().cast("B")), memory.kind)
    return str(len(client.devices[0].memories))


@check("buffer")
def round_trip(path: str) -> str:
    client = _client(path)
    done = 0
    for name in ("bool", "int8", "int32", "int64", "uint8", "uint32", "float16", "bfloat16", "float32", "float64", "complex64"):
        raw = bytes([0, 1] * 32) if name == "bool" else bytes(range(64))
        _expect(bytes(client.put(raw, dtype=name).to_host().cast("B")) == raw, f"{name} comes back changed")
        done += 1
    return f"{done} element types"


@check("buffer")
def narrow_types(path: str) -> str:
    client, seen = _client(path), []
    for name in ("int4", "uint4", "float8_e5m2", "float8_e4m3fn"):
        raw = bytes([0, 1, 2, 3, 4, 5, 6, 7])
        _expect(bytes(client.put(raw, dtype=name).to_host().cast("B")) == raw, f"{name} comes back changed")
        seen.append(name)
    return ", ".join(seen)


@check("buffer")
def empty_array(path: str) -> str:
    _expect(_client(path).put(b"", dtype="float32", shape=(0, 3)).to_host().nbytes == 0, "bytes out of nothing")
    return "ok"


@check("buffer")
def metadata(path: str) -> str:
    client = _client(path)
    buffer = _put(client)
    facts = client.api.call("PJRT_Buffer_Dimensions", buffer=buffer._live())
    _expect(facts["num_dims"] == 2, "wrong rank")
    return f"{buffer.on_device_nbytes} bytes, layout {buffer.layout}"


@check("buffer")
def ready_event(path: str) -> str:
    _put(_client(path)).ready().wait(30)
    return "ok"


@check("buffer")
def delete(path: str) -> str:
    buffer = _put(_client(path))
    buffer.delete()
    try:
        buffer.to_host()
    except HandleClosed:
        return "ok"
    raise AssertionError("a deleted buffer was read")


@check("buffer")
def raw_read(path: str) -> str:
    _expect(_put(_client(path)).read_bytes(4, 4) == _floats(1), "wrong bytes at an offset")
    return "ok"


@check("buffer")
def uninitialized(path: str) -> str:
    return str(_client(path).empty("float32", (4,)).on_device_nbytes)


@check("buffer")
def error_reaches_reader(path: str) -> str:
    buffer = error_buffer(_client(path), "ABORTED", "on purpose", "float32", (4,))
    try:
        buffer.to_host()
    except Unimplemented:
        raise
    except PjrtError as error:
        _expect("on purpose" in str(error), f"another message: {error}")
        return type(error).__name__
    raise AssertionError("the error did not reach the reader")


@check("buffer")
def promise(path: str) -> str:
    client = _client(path)
    given = Promise(client, "float32", (2, 3))
    given.fulfil(_put(client))
    _expect(bytes(given.buffer.to_host().cast("B")) == _floats(0, 1, 2, 3, 4, 5), "another content")
    return "ok"


@check("buffer")
def bitcast(path: str) -> str:
    return str(_put(_client(path)).bitcast("int32", (6,)).tolist()[:2])


@check("buffer")
def pieces(path: str) -> str:
    transfer = AsyncTransfer(_client(path), [("float32", (4,))])
    transfer.send(0, _floats(1, 2), last=False).wait()
    transfer.send(0, _floats(3, 4), offset=8).wait()
    _expect(transfer.buffers[0].tolist() == [1, 2, 3, 4], "the pieces do not fit together")
    return "two"


@check("program")
def compile_and_run(path: str) -> str:
    _, executable, x = _add(path)
    _expect(executable(x, x)[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum")
    return executable.name


@check("program")
def ill_typed_program(path: str) -> str:
    try:
        _client(path).compile(ADD.replace("%a, %b", "%a, %c"))
    except InvalidArgument:
        return "InvalidArgument"
    raise AssertionError("an ill-typed program was compiled")


@check("program")
def facts(path: str) -> str:
    _, executable, _ = _add(path)
    _expect(executable.num_outputs == 1 and executable.output_shapes == ((2, 3),), "wrong outputs")
    return f"{executable.signature}, {executable.num_replicas} x {executable.num_partitions}"


@check("program")
def cost(path: str) -> str:
    return ", ".join(sorted(_add(path)[1].cost_analysis()))


@check("program")
def memory_use(path: str) -> str:
    return str(_add(path)[1].memory_stats())


@check("program")
def fingerprint(path: str) -> str:
    client, executable, _ = _add(path)
    _expect(executable.fingerprint == client.compile(ADD).fingerprint, "two compilations have two fingerprints")
    return executable.fingerprint.hex()[:16]


@check("program")
def serialize_and_load(path: str) -> str:
    client, executable, x = _add(path)
    blob = executable.serialize()
    _expect(client.load(blob)(x, x)[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum after loading")
    return f"{len(blob)} bytes"


@check("program")
def garbage_executable(path: str) -> str:
    try:
        _client(path).load(b"garbage")
    except PjrtError as error:
        return type(error).__name__
    raise AssertionError("garbage was loaded")


@check("program")
def donation(path: str) -> str:
    client = _client(path)
    x = client.put(_floats(*range(8)), dtype="float32")
    (y,) = client.compile(DONATE)(x)
    _expect(y.tolist() == [0, 2, 4, 6, 8, 10, 12, 14], "wrong result")
    return "donated" if x.closed else "copied"


@check("program")
def many_calls(path: str) -> str:
    _, executable, x = _add(path)
    for _ in range(200):
        (x,) = executable(x, x)
    x.wait()
    return "200"


@check("program")
def replicas(path: str) -> str:
    from ..options import CompileOptions

    client = _client(path)
    count = min(len(client.devices), 2)
    executable = client.compile(ADD, CompileOptions(num_replicas=count))
    rows = [[client.put(_floats(*range(6)), device, dtype="float32", shape=(2, 3))] * 2 for device in executable.devices]
    for row in executable.execute_sharded(rows):
        _expect(row[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum")
    return str(count)


@check("layouts")
def of_buffer(path: str) -> str:
    return layout_text(_put(_client(path)))


@check("layouts")
def by_default(path: str) -> str:
    return default_layout(_client(path), "float32", (2, 3))


@check("layouts")
def of_program(path: str) -> str:
    return str(executable_layouts(_add(path)[1]))


@check("topology")
def of_client(path: str) -> str:
    topology = _client(path).topology
    return f"{topology.platform_name}, {len(topology.devices)} devices"


@check("topology")
def topology_fingerprint(path: str) -> str:
    return str(_client(path).topology.fingerprint)


@contextmanager
def _a_compiler() -> Iterator[None]:
    """A plugin without a compiler to be used without a client says so as NotFound: that is absent, not broken."""
    try:
        yield
    except NotFound as error:
        raise Unimplemented(error.message) from None


@check("topology")
def serialize_topology(path: str) -> str:
    client = _client(path)
    with _a_compiler():
        blob = client.topology.serialize()
        Topology.deserialize(client.plugin, blob).close()
    return f"{len(blob)} bytes"


@check("topology")
def compile_for_it(path: str) -> str:
    topology = _client(path).topology
    with _a_compiler():
        return f"{len(topology.compile(ADD).serialize())} bytes"


@check("event")
def create_and_set(path: str) -> str:
    event = Event.create(Plugin(path))
    _expect(not event.done(), "done before it was set")
    event.set()
    event.wait(10)
    return "ok"


@check("event")
def error_and_callback(path: str) -> str:
    event = Event.create(Plugin(path))
    seen: list[PjrtError | None] = []
    event.add_done_callback(seen.append)
    event.set("ABORTED", "on purpose")
    try:
        event.wait(10)
    except PjrtError as error:
        _expect("on purpose" in str(error) and seen[0] is not None, "the error is lost")
        return "ok"
    raise AssertionError("no error")


@check("ffi")
def handler(path: str) -> str:
    from .. import ffi

    client = _client(path)
    if client.platform != "cpu":
        return f"not tried on {client.platform}"

    def double(call: ffi.Call) -> None:
        source, target = call.args[0].view(), call.results[0].view()
        for index in range(len(source)):
            target[index] = 2 * source[index]

    ffi.register(client.plugin, "conform.double", double)
    text = """module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @conform.double(%a) {api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32> } }"""
    (out,) = client.compile(text)(client.put(_floats(1, 2, 3, 4), dtype="float32"))
    _expect(out.tolist() == [2, 4, 6, 8], "wrong result")
    return "ok"


@check("dlpack")
def export(path: str) -> str:
    buffer = _put(_client(path))
    capsule = buffer.__dlpack__()
    del capsule
    return str(buffer.__dlpack_device__())
