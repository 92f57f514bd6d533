"""What needs a GPU. Runs where the CUDA plugin finds a device; elsewhere the tier is skipped."""

from __future__ import annotations

import ctypes
import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pjrt_programs import ADD, COLUMN_MAJOR, STEP, custom_call
from ppy_pjrt import cuda, ffi
from ppy_pjrt.artifact import Artifact
from ppy_pjrt.client import Client
from ppy_pjrt.compatibility import compatible, executable_version, runtime_version
from ppy_pjrt.discovery import candidates
from ppy_pjrt.errors import PjrtError, ResourceExhausted
from ppy_pjrt.plugin import Plugin
from ppy_pjrt.profiler import trace
from ppy_pjrt.targets import target
from ppy_pjrt.topology import Topology

pytestmark = pytest.mark.gpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)
EXAMPLES = Path(__file__).parents[3] / "examples/pjrt"


@pytest.fixture(scope="module")
def gpu() -> Iterator[Client]:
    found = list(candidates("cuda"))
    if not found or not cuda.available():
        pytest.skip("there is no CUDA plugin or no driver")
    try:
        client = Client(Plugin(found[0].path))
    except PjrtError as error:
        pytest.skip(f"the CUDA plugin finds no device: {error}")
    yield client
    client.close()


def test_client_and_memory(gpu: Client) -> None:
    assert gpu.platform == "cuda" and gpu.options["preallocate"] is False
    device = gpu.devices[0]
    assert device.memory_stats()["bytes_limit"] > 0
    assert {"device", "pinned_host"} <= {memory.kind for memory in device.memories}
    held = gpu.put(X, memory=device.memory("pinned_host"))
    assert held.copy_to(device).tolist() == X.tolist()


def test_calls_layouts_and_donation(gpu: Client) -> None:
    assert gpu.compile(ADD)(X, X)[0].tolist() == (2 * X).tolist()
    assert gpu.compile(COLUMN_MAJOR)(X)[0].tolist() == (2 * X).tolist()
    theta = gpu.put(np.zeros(8, np.float32))
    (after,) = gpu.compile(STEP)(theta, np.ones(8, np.float32))
    assert theta.closed and after.tolist() == [1] * 8
    assert gpu.compile(ADD).cost_analysis()


def test_out_of_memory_is_explained(gpu: Client) -> None:
    with pytest.raises(ResourceExhausted, match=r"bytes_limit=(.|\n)*create-options(.|\n)*hint"):
        gpu.empty("float32", (1 << 42,)).wait()


def test_dlpack_stays_on_the_device(gpu: Client) -> None:
    buffer = gpu.put(X)
    assert buffer.__dlpack_device__() == (2, gpu.devices[0].local_hardware_id)
    again = gpu.from_dlpack(buffer)
    assert again.device_pointer() == buffer.device_pointer() and again.tolist() == X.tolist()


def test_handlers_see_device_pointers_and_the_stream(gpu: Client) -> None:
    @ffi.handler(gpu.plugin, "gpu.copy")
    def copy(call: ffi.Call) -> None:
        (x,), (y,) = call.args, call.results
        cuda.copy_on_device(y.data, x.data, x.nbytes, call.stream)

    x = np.arange(4, dtype=np.float32)
    assert gpu.compile(custom_call("gpu.copy"))(x)[0].tolist() == x.tolist() and copy.calls == 1


def test_a_kernel_doubles(gpu: Client) -> None:
    runpy.run_path(str(EXAMPLES / "10_gpu_kernel.py"), run_name="__main__")


def test_bad_images_and_symbols(gpu: Client) -> None:
    with pytest.raises(cuda.CudaError):
        cuda.Module("garbage")
    with cuda.Stream() as stream:
        stream.synchronize()
    assert ctypes.sizeof(ctypes.c_void_p) == 8


def test_compiled_ahead_of_time_and_loaded_here(gpu: Client) -> None:
    kind = gpu.devices[0].kind.lower()
    model = next((name for name in ("h200", "h100", "a100") if name in kind), None)
    if model is None:
        pytest.skip(f"no description of {kind}")
    with Topology.create(gpu.plugin, model, target_config=target(model), topology="1x1x1") as topology:
        blob = topology.compile(ADD).serialize()
    assert gpu.load(blob)(X, X)[0].tolist() == (2 * X).tolist()


def test_the_plugins_verdict(gpu: Client) -> None:
    executable = gpu.compile(ADD)
    assert runtime_version(gpu)
    assert compatible(gpu, executable_version(gpu.plugin, executable)) is None
    assert Artifact.build(gpu, ADD).load(gpu, strict=True)(X, X)[0].tolist() == (2 * X).tolist()


def test_a_trace(gpu: Client) -> None:
    executable = gpu.compile(ADD)
    with trace(gpu.plugin) as taken:
        executable(X, X)[0].wait()
    assert taken.data


def test_streams(gpu: Client) -> None:
    buffer = gpu.put(X)
    buffer.wait_on_stream(gpu.devices[0].external_stream())
