"""Topologies, and compiling for devices that are not here."""

from __future__ import annotations

import contextlib

import pytest
from pjrt_programs import ADD
from ppy_pjrt.client import Client
from ppy_pjrt.compatibility import executable_version, runtime_version
from ppy_pjrt.dependency import Dependency
from ppy_pjrt.dma import DmaMapping
from ppy_pjrt.errors import FailedPrecondition, HandleClosed, NotFound, PjrtError, Unimplemented, Unsupported
from ppy_pjrt.plugin import Plugin
from ppy_pjrt.profiler import Trace
from ppy_pjrt.targets import GPUS, target
from ppy_pjrt.topology import Topology
from ppy_pjrt.triton import arch_of
from ppy_pjrt.triton import compile as compile_triton

MATMUL = """module { func.func public @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  return %1 : tensor<64x64xf32> } }"""


@pytest.mark.cpu
def test_the_topology_of_a_client(client: Client) -> None:
    topology = client.topology
    assert topology.platform_name == "cpu" and topology.platform_version
    assert len(topology.devices) == len(client.devices)
    assert len({device.id for device in topology.devices}) == len(topology.devices)
    assert topology.devices[0].coords is None and isinstance(topology.attributes, dict)
    if client.api.minor >= 101:
        assert 0 < topology.fingerprint < 2**64
        with Client(client.plugin) as other:
            assert other.topology.fingerprint == topology.fingerprint
    else:
        with pytest.raises(Unsupported, match="0.101"):
            topology.fingerprint  # noqa: B018
    if client.api.minor >= 110:
        assert topology.memory_kind_ids()


@pytest.mark.cpu
def test_compiling_for_it_without_a_client(client: Client) -> None:
    import numpy as np

    if client.api.minor < 115:
        with pytest.raises(NotFound, match=r"(?i)compiler"):
            client.topology.compile(ADD)
        return
    program = client.topology.compile(ADD)
    x = np.ones((2, 3), np.float32)
    assert program.num_outputs == 1 and str(program.signature).endswith("-> (float32[2,3])")
    assert client.load(program.serialize())(x, x)[0].tolist() == [[2] * 3] * 2
    blob = client.topology.serialize()
    with Topology.deserialize(client.plugin, blob) as again:
        assert again.platform_name == "cpu"
    with pytest.raises(HandleClosed):
        again.serialize()


@pytest.mark.host
def test_descriptions_of_gpus() -> None:
    assert all(f'"{gpu.name}"' in target(name) for name, gpu in GPUS.items())
    with pytest.raises(NotFound, match="h300.*a100"):
        target("h300")


@pytest.mark.cuda
@pytest.mark.parametrize("model", ["h200", "a100"])
def test_cross_compiling_for_an_absent_gpu(cuda_plugin: Plugin, model: str) -> None:
    with Topology.create(cuda_plugin, model, target_config=target(model), topology="1x1x1") as topology:
        assert topology.platform_name == "cuda" and len(topology.devices) == 1
        assert GPUS[model].name == topology.devices[0].kind
        for text in (ADD, MATMUL):
            blob = topology.compile(text).serialize()
            assert b"\x7fELF" in blob, "device code is inside"
        with Topology.deserialize(cuda_plugin, topology.serialize()) as again:
            assert again.fingerprint == topology.fingerprint
        with pytest.raises(PjrtError):
            topology.compile(ADD.replace("%a, %b :", "%a, %c :"))


@pytest.mark.cuda
def test_the_cuda_plugin_without_a_device(cuda_plugin: Plugin) -> None:
    assert cuda_plugin.platform == "cuda" and cuda_plugin.api.minor >= 112
    assert cuda_plugin.stablehlo_versions is not None
    with pytest.raises(PjrtError) as caught:
        Client(cuda_plugin)
    if isinstance(caught.value, FailedPrecondition):
        assert "GPU" in str(caught.value)
    with pytest.raises(Unsupported, match="Triton"):
        compile_triton(cuda_plugin, "module {}", "9.0")


@pytest.mark.cuda
def test_a_trace_of_the_plugins_profiler(cuda_plugin: Plugin) -> None:
    trace = Trace(cuda_plugin)
    with contextlib.suppress(PjrtError):  # without a driver the plugin may refuse, in its own words
        trace.start()
        assert isinstance(trace.stop(), bytes)
    trace.close()


@pytest.mark.cpu
def test_profiler_and_triton_are_absent_on_the_cpu(client: Client) -> None:
    with pytest.raises(Unsupported, match="no Profiler extension; it has"):
        Trace(client.plugin)
    with pytest.raises(PjrtError, match="no compute capability"):
        arch_of(client.devices[0])


@pytest.mark.cuda
def test_versions_of_programs_for_absent_gpus(cuda_plugin: Plugin) -> None:
    with Topology.create(cuda_plugin, "h200", target_config=target("h200"), topology="1x1x1") as topology:
        program = topology.compile(ADD)
        assert executable_version(cuda_plugin, program)
        assert {kind for kind, _ in topology.devices[0].memory_kinds} <= {"device", "pinned_host", "unpinned_host"}


@pytest.mark.cpu
def test_memory_kinds_and_loading(client: Client) -> None:
    """The CPU plugins answer the question with nothing; a description they do give names the device's memories."""
    described = {kind for kind, _ in client.topology.devices[0].memory_kinds}
    assert described <= {memory.kind for memory in client.devices[0].memories}
    if client.api.minor >= 115:
        executable = client.topology.compile(ADD).load(client)
        assert executable.num_outputs == 1 and executable.devices
    with pytest.raises(Unsupported, match="AbiVersion"):
        runtime_version(client)


@pytest.mark.cpu
def test_dma_and_dependencies(client: Client) -> None:
    data = bytearray(4096)
    try:
        with DmaMapping(client, data):
            pass
    except Unimplemented:
        assert client.platform == "cpu"
    if client.api.minor < 88:
        with pytest.raises(Unsupported, match="0.88"):
            Dependency(client.put(1.0))
        return
    for settle in ("ready", "fail"):
        given = client.put(1.0, dtype="float32")
        try:
            held = Dependency(given)
        except Unimplemented:
            return
        assert given.closed and not held.buffer.is_ready()
        if settle == "ready":
            held.ready()
            assert held.buffer.item() == 1.0
        else:
            held.fail("ABORTED", "not today")
            with pytest.raises(PjrtError, match="not today"):
                held.buffer.wait()
        with pytest.raises(HandleClosed, match="already"):
            held.ready()
