"""The faults found in an existing client, by their number in the project's notes: each test fails on the faulty way.

Numbers missing here are tested elsewhere: 3, 5, 13, 16 and 18 in ``test_fake_plugin``, 17 in ``test_discovery``,
21 to 23 in ``test_options``, ``test_transfer`` and ``test_topology``.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest
from pjrt_programs import ADD, COLUMN_MAJOR, SLOW, custom_call, identity
from pjrt_support import cpu_plugins
from ppy_pjrt import ffi
from ppy_pjrt.artifact import Artifact
from ppy_pjrt.cache import CompileCache
from ppy_pjrt.client import Client
from ppy_pjrt.errors import ArgumentMismatch, HandleClosed, InvalidArgument, PjrtError, Unsupported
from ppy_pjrt.plugin import Plugin
from ppy_pjrt.session import Session
from ppy_pjrt.values import decode, encode

pytestmark = pytest.mark.cpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_01_a_cache_never_serves_another_plugin(tmp_path: Path) -> None:
    paths = cpu_plugins()
    if len(paths) < 2:
        pytest.skip("needs two plugins")
    cache = CompileCache(tmp_path)
    for path in paths:
        with Client(Plugin(path)) as client:
            assert client.compile(ADD, cache=cache)(X, X)[0].tolist() == (X + X).tolist()
    assert (cache.hits, cache.misses) == (0, len(paths))
    for path in paths:
        with Client(Plugin(path)) as client:
            assert client.compile(ADD, cache=cache)(X, X)[0].tolist() == (X + X).tolist()
    assert cache.hits == len(paths)


def test_01_an_artifact_of_another_plugin_is_compiled_again() -> None:
    paths = cpu_plugins()
    if len(paths) < 2:
        pytest.skip("needs two plugins")
    with Client(Plugin(paths[-1])) as client:
        artifact = Artifact.from_bytes(Artifact.build(client, ADD).to_bytes())
        assert not artifact.check(client)
    with Client(Plugin(paths[0])) as other:
        assert "compiled by cpu PJRT" in artifact.check(other)[0]
        assert artifact.load(other)(X, X)[0].tolist() == (X + X).tolist()


_OUTLIVE = """
import gc, sys, numpy
from ppy_pjrt.client import Client
client = Client(sys.argv[1])
x = numpy.arange(4096, dtype="float32")
buffer = client.put(x)
views = [numpy.from_dlpack(buffer), numpy.array(buffer, copy=False)]
buffer.close(); client.close()
del buffer, client
gc.collect()
other = Client(sys.argv[1])
noise = [other.put(numpy.zeros(4096, "float32")) for _ in range(50)]
assert all((view == x).all() for view in views)
del views
gc.collect()
print("fine")
"""


def test_02_views_outlive_buffer_and_client(plugin_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _OUTLIVE, str(plugin_path)], capture_output=True, text=True)
    assert done.stdout.strip() == "fine", done.stderr


def test_04_reading_metadata_does_not_wait_for_a_running_program(client: Client) -> None:
    executable = client.compile(SLOW)
    a = client.put(np.full((600, 600), 0.01, np.float32))
    executable(a)[0].wait()
    b = client.put(X)
    worker = threading.Thread(target=lambda: executable(a)[0].wait())
    worker.start()
    took = []
    while worker.is_alive():
        start = time.perf_counter()
        assert (b.dtype, b.shape) == ("float32", (2, 3))
        took.append(time.perf_counter() - start)
        time.sleep(0.002)
    # The median: on a busy machine any one of them may be interrupted.
    assert statistics.median(took) < 0.01


def test_05_use_after_closing_the_client(plugin: Plugin) -> None:
    client = Client(plugin)
    executable, buffer = client.compile(ADD), client.put(X)
    client.close()
    uses = [(executable, X, X), (executable, buffer, buffer), (buffer.to_host,), (client.put, X)]
    for use, *arguments in uses:
        with pytest.raises(HandleClosed, match="closed"):
            use(*arguments)
    with pytest.raises(HandleClosed):
        executable.execute(buffer, buffer)
    assert buffer.shape == (2, 3)
    del buffer, executable
    gc.collect()


def test_06_extension_entries_past_the_extension_are_absent(plugin: Plugin, client: Client) -> None:
    from ppy_pjrt.layouts import executable_layouts

    executable = client.compile(ADD)
    extension = plugin.require("Layouts")
    if extension.size < 80:
        with pytest.raises(Unsupported, match="72 bytes.*0.93"):
            executable_layouts(executable)
    else:
        assert executable_layouts(executable) == (["{1,0}", "{1,0}"], ["{1,0}"])


def test_07_handlers_run_on_every_ffi_version(plugin: Plugin, client: Client) -> None:
    seen = []

    def double(call: ffi.Call) -> None:
        seen.append((call.host.minor, call.host.version))
        np.asarray(call.results[0])[:] = 2 * np.asarray(call.args[0])

    ffi.register(plugin, "faults.double", double)
    out = client.compile(custom_call("faults.double"))(np.arange(4, dtype=np.float32))[0]
    assert out.tolist() == [0, 2, 4, 6]
    minor, version = seen[0]
    assert version == min(minor, 5)


def test_08_results_are_row_major_whatever_the_layout(client: Client) -> None:
    executable = client.compile(COLUMN_MAJOR)
    (out,) = executable(X)
    assert out.layout is not None and out.layout.minor_to_major == (0, 1), "the program does not test what it should"
    want = (X + X).tolist()
    assert out.to_host().tolist() == want and out.tolist() == want
    assert np.asarray(out).tolist() == want
    assert np.from_dlpack(out).tolist() == want
    assert out.read().result().tolist() == want
    target = np.empty((2, 3), np.float32)
    out.to_host(target)
    assert target.tolist() == want


def test_08_a_column_major_buffer_goes_into_a_row_major_program_only_by_conversion(client: Client) -> None:
    (columns,) = client.compile(COLUMN_MAJOR)(X)
    with pytest.raises(ArgumentMismatch, match="minor-to-major"):
        client.compile(ADD)(columns, columns)
    assert client.compile(ADD)(np.asarray(columns), X)[0].tolist() == (3 * X).tolist()


def test_09_sizes_are_checked_before_any_byte_is_read(client: Client) -> None:
    with pytest.raises(ArgumentMismatch, match="4194304 bytes, the array has 8"):
        client.put(np.zeros(2, np.float32), shape=(1 << 20,))
    with pytest.raises(ArgumentMismatch):
        client.compile(ADD)(np.zeros(2, np.float32), X)


def test_10_read_only_empty_strided_and_fortran_input(client: Client, tmp_path: Path) -> None:
    frozen = X.copy()
    frozen.flags.writeable = False
    assert client.put(frozen).tolist() == X.tolist()
    assert client.put(X.tobytes(), dtype="float32", shape=(2, 3)).tolist() == X.tolist()
    np.save(tmp_path / "w.npy", X)
    assert client.put(np.load(tmp_path / "w.npy", mmap_mode="r")).tolist() == X.tolist()
    assert client.put(np.empty((0, 3), np.float32)).to_host().nbytes == 0
    assert np.asarray(client.put(np.empty((0, 3), np.float32))).shape == (0, 3)
    big = np.arange(48, dtype=np.float32).reshape(6, 8)
    for view in (X.T, np.asfortranarray(X), big[::2, 1::3], big[:, ::-1], big[::-1], np.broadcast_to(X[0], (4, 3))):
        assert client.put(view).tolist() == view.tolist()
    assert client.compile(ADD)(big[:2, :3], np.asfortranarray(X))[0].tolist() == (big[:2, :3] + X).tolist()


def test_11_dtype_is_checked_even_where_the_sizes_agree(client: Client) -> None:
    executable = client.compile(ADD)
    wrong = client.put(X.astype(np.int32))
    for args in ((wrong, wrong), (X.astype(np.int32), X), (X.view(np.uint32), X)):
        with pytest.raises(ArgumentMismatch, match=r"argument 0 of add.*(int32|uint32)"):
            executable(*args)


def test_12_sizes_of_narrow_and_complex_elements(plugin: Plugin, client: Client) -> None:
    sizes = {}

    def note(call: ffi.Call) -> None:
        (x,), (y,) = call.args, call.results
        sizes[str(x.dtype)] = (x.nbytes, x.itemsize)
        y.bytes()[:] = x.bytes()

    ffi.register(plugin, "faults.note", note)
    for name, kind, size in (("bfloat16", "bf16", 2), ("float16", "f16", 2), ("complex64", "complex<f32>", 8)):
        raw = bytes(range(4 * size))
        text = custom_call("faults.note").replace("f32>", f"{kind}>")
        (out,) = client.compile(text)(client.put(raw, dtype=name))
        assert bytes(out.to_host().cast("B")) == raw
        assert sizes[name] == (4 * size, size)


def test_12_complex_arrays_are_exported(client: Client) -> None:
    given = np.array([1 + 2j, 3], np.complex64)
    assert np.from_dlpack(client.put(given)).tolist() == given.tolist()


def test_13_imports_are_released_and_forgotten(client: Client) -> None:
    from ppy_pjrt.dlpack import live_imports

    raw = np.empty(64 + 16, np.float32)
    start, seen = -raw.ctypes.data % 64 // 4, weakref.ref(raw)
    adopted = client.from_dlpack(raw[start : start + 16])  # NumPy gives a versioned capsule
    del raw
    gc.collect()
    assert seen() is not None
    adopted.close()
    gc.collect()
    assert seen() is None, "the producer has its array back"

    before = live_imports()
    for _ in range(50):
        raw = np.empty(64 + 16, np.float32)
        start = -raw.ctypes.data % 64 // 4
        client.from_dlpack(raw[start : start + 32]).close()
    gc.collect()
    assert live_imports() == before


def test_14_options_lists_and_utf8_lengths() -> None:
    frames = encode({"naïve": "dütt", "ids": [1, 2, 3], "n": 7, "on": True, "x": 0.5})
    assert frames is not None
    first, ids, number = frames.items[0], frames.items[1], frames.items[2]
    assert first["name_size"] == 6 and first["value_size"] == 5
    assert ids["value_size"] == 3 and number["value_size"] == 1
    assert decode(frames.address, 5) == {"naïve": "dütt", "ids": (1, 2, 3), "n": 7, "on": True, "x": 0.5}
    with pytest.raises(InvalidArgument, match="'bad'.*dict"):
        encode({"bad": {}})  # type: ignore[dict-item]


def test_15_a_lazily_bound_slot_on_two_devices(client: Client) -> None:
    from ppy_pjrt.options import CompileOptions

    with Session(client) as session:
        executable = client.compile(ADD, CompileOptions(num_replicas=2))
        program = session.program(executable, ["a", "b"], ["sum"])
        session.bind("b", lambda: X)
        rows = program.sharded([{"a": X}, {"a": 2 * X}])
        assert [row["sum"].tolist() for row in rows] == [(2 * X).tolist(), (3 * X).tolist()]
        assert [row["sum"].device for row in rows] == list(executable.devices)


def test_19_a_finaliser_inside_a_handler_is_no_problem(plugin: Plugin, client: Client) -> None:
    def churn(call: ffi.Call) -> None:
        inner = client.put(np.arange(4, dtype=np.float32))
        del inner
        gc.collect()
        call.results[0].view()[:] = call.args[0].view()

    ffi.register(plugin, "faults.churn", churn)
    executable = client.compile(custom_call("faults.churn"))
    assert executable(np.arange(4, dtype=np.float32))[0].tolist() == [0, 1, 2, 3]


def test_20_an_import_from_another_device_is_refused(client: Client) -> None:
    class Foreign:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

        def __dlpack__(self, **_: object) -> object:
            raise AssertionError("must not be asked")

    with pytest.raises(ArgumentMismatch, match="cpu"):
        client.from_dlpack(Foreign())


def test_22_arrays_in_and_out_without_ceremony(client: Client) -> None:
    import array

    executable = client.compile(identity("f32"))
    for given in (
        array.array("f", [1, 2, 3, 4]),
        memoryview(array.array("f", [1, 2, 3, 4])),
        np.array([1, 2, 3, 4], "f4"),
    ):
        (out,) = executable(given)
        assert out.dtype == "float32" and out.shape == (4,) and out.to_host().tolist() == [1, 2, 3, 4]


def test_no_error_is_outside_the_family() -> None:
    from ppy_pjrt import errors

    kinds = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)]
    assert all(issubclass(kind, PjrtError) for kind in kinds)
