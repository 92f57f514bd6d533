"""The checks of programs and of what goes with them: layouts, topologies, events, handlers, sharing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import InvalidArgument, NotFound, PjrtError, Unimplemented
from ..event import Event
from ..layouts import default_layout, executable_layouts, layout_text
from ..plugin import Plugin
from ..topology import Topology
from .checks import ADD, DONATE, add, check, client_of, expect, floats, put_floats


@check("program")
def compile_and_run(path: str) -> str:
    _, executable, x = add(path)
    expect(executable(x, x)[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum")
    return executable.name


@check("program")
def ill_typed_program(path: str) -> str:
    try:
        client_of(path).compile(ADD.replace("%a, %b", "%a, %c"))
    except InvalidArgument:
        return "InvalidArgument"
    raise AssertionError("an ill-typed program was compiled")


@check("program")
def facts(path: str) -> str:
    _, executable, _ = add(path)
    expect(executable.num_outputs == 1 and executable.output_shapes == ((2, 3),), "wrong outputs")
    return f"{executable.signature}, {executable.num_replicas} x {executable.num_partitions}"


@check("program")
def cost(path: str) -> str:
    return ", ".join(sorted(add(path)[1].cost_analysis()))


@check("program")
def memory_use(path: str) -> str:
    return str(add(path)[1].memory_stats())


@check("program")
def fingerprint(path: str) -> str:
    client, executable, _ = add(path)
    expect(executable.fingerprint == client.compile(ADD).fingerprint, "two compilations have two fingerprints")
    return executable.fingerprint.hex()[:16]


@check("program")
def serialize_and_load(path: str) -> str:
    client, executable, x = add(path)
    blob = executable.serialize()
    expect(client.load(blob)(x, x)[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum after loading")
    return f"{len(blob)} bytes"


@check("program")
def garbage_executable(path: str) -> str:
    try:
        client_of(path).load(b"garbage")
    except PjrtError as error:
        return type(error).__name__
    raise AssertionError("garbage was loaded")


@check("program")
def donation(path: str) -> str:
    client = client_of(path)
    x = client.put(floats(*range(8)), dtype="float32")
    (y,) = client.compile(DONATE)(x)
    expect(y.tolist() == [0, 2, 4, 6, 8, 10, 12, 14], "wrong result")
    return "donated" if x.closed else "copied"


@check("program")
def many_calls(path: str) -> str:
    _, executable, x = add(path)
    for _ in range(200):
        (x,) = executable(x, x)
    x.wait()
    return "200"


@check("program")
def replicas(path: str) -> str:
    from ..options import CompileOptions

    client = client_of(path)
    count = min(len(client.devices), 2)
    executable = client.compile(ADD, CompileOptions(num_replicas=count))
    rows = [[client.put(floats(*range(6)), device, dtype="float32", shape=(2, 3))] * 2 for device in executable.devices]
    for row in executable.execute_sharded(rows):
        expect(row[0].tolist() == [[0, 2, 4], [6, 8, 10]], "wrong sum")
    return str(count)


@check("layouts")
def of_buffer(path: str) -> str:
    return layout_text(put_floats(client_of(path)))


@check("layouts")
def by_default(path: str) -> str:
    return default_layout(client_of(path), "float32", (2, 3))


@check("layouts")
def of_program(path: str) -> str:
    return str(executable_layouts(add(path)[1]))


@check("topology")
def of_client(path: str) -> str:
    topology = client_of(path).topology
    return f"{topology.platform_name}, {len(topology.devices)} devices"


@check("topology")
def topology_fingerprint(path: str) -> str:
    return str(client_of(path).topology.fingerprint)


@contextmanager
def _a_compiler() -> Iterator[None]:
    """A plugin without a compiler to be used without a client says so as NotFound: that is absent, not broken."""
    try:
        yield
    except NotFound as error:
        raise Unimplemented(error.message) from None


@check("topology")
def serialize_topology(path: str) -> str:
    client = client_of(path)
    with _a_compiler():
        blob = client.topology.serialize()
        Topology.deserialize(client.plugin, blob).close()
    return f"{len(blob)} bytes"


@check("topology")
def compile_for_it(path: str) -> str:
    topology = client_of(path).topology
    with _a_compiler():
        return f"{len(topology.compile(ADD).serialize())} bytes"


@check("event")
def create_and_set(path: str) -> str:
    event = Event.create(Plugin(path))
    expect(not event.done(), "done before it was set")
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
        expect("on purpose" in str(error) and seen[0] is not None, "the error is lost")
        return "ok"
    raise AssertionError("no error")


@check("ffi")
def handler(path: str) -> str:
    from .. import ffi

    client = client_of(path)
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
    (out,) = client.compile(text)(client.put(floats(1, 2, 3, 4), dtype="float32"))
    expect(out.tolist() == [2, 4, 6, 8], "wrong result")
    return "ok"


@check("dlpack")
def export(path: str) -> str:
    buffer = put_floats(client_of(path))
    capsule = buffer.__dlpack__()
    del capsule
    return str(buffer.__dlpack_device__())
