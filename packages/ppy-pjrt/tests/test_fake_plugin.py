"""Negotiation, refusals, error paths and ownership against a plugin made for it."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ppy_pjrt.abi import layout
from ppy_pjrt.client import Client
from ppy_pjrt.errors import (
    Aborted,
    DeadlineExceeded,
    FailedPrecondition,
    HandleClosed,
    IncompatiblePlugin,
    Internal,
    NotAPlugin,
    PjrtError,
    ResourceExhausted,
    Unsupported,
)
from ppy_pjrt.event import Event
from ppy_pjrt.layouts import default_layout
from ppy_pjrt.plugin import Plugin

pytestmark = pytest.mark.host
Build = Callable[..., Path]
FLOATS = b"\0\0\x80?\0\0\0@"


def live(path: Path) -> list[int]:
    gc.collect()
    library = ctypes.CDLL(str(path))
    return [library.fake_live(kind) for kind in range(5)]


def put(client: Client) -> object:
    return client.put(FLOATS, dtype="float32", shape=(2,))


@pytest.mark.parametrize("minor", [0, 45, 56])
def test_older_than_the_rearranged_table_is_refused(build_fake: Build, minor: int) -> None:
    with pytest.raises(IncompatiblePlugin, match=rf"0\.{minor}.*0\.57"):
        Plugin(build_fake(MINOR=minor))
    assert issubclass(IncompatiblePlugin, PjrtError)


@pytest.mark.parametrize("minor", [57, 81, 118, 500])
def test_older_and_newer_versions_of_the_table_are_spoken(build_fake: Build, minor: int) -> None:
    with Client(Plugin(build_fake(MINOR=minor))) as client:
        assert client.platform == "fake"
        assert put(client).tolist() == [1, 2]


def test_a_slot_past_the_table_is_unsupported_and_says_since_when(build_fake: Build) -> None:
    size = layout("PJRT_Api").fields["PJRT_Event_Create"].offset
    plugin = Plugin(build_fake(MINOR=88, TABLE_SIZE=size))
    assert not plugin.api.has("PJRT_Event_Create")
    with pytest.raises(Unsupported, match=r"PJRT_Event_Create \(PJRT 0.89 has it\)") as caught:
        Event.create(plugin)
    assert caught.value.since == 89


def test_a_table_cut_in_the_middle_of_a_slot(build_fake: Build) -> None:
    size = layout("PJRT_Api").fields["PJRT_Event_Create"].offset + 4
    assert not Plugin(build_fake(MINOR=89, TABLE_SIZE=size)).api.has("PJRT_Event_Create")


def test_a_null_slot_is_unsupported(build_fake: Build) -> None:
    client = Client(Plugin(build_fake()))
    with pytest.raises(Unsupported, match="PJRT_Client_DmaMap"):
        client.api.call("PJRT_Client_DmaMap", client=client._live())


def test_a_field_the_version_lacks_is_unsupported(build_fake: Build) -> None:
    api = Plugin(build_fake(MINOR=81)).api
    with pytest.raises(Unsupported, match="payload.*0.103"):
        api.frame("PJRT_Client_CreateErrorBuffer_Args", payload=1)
    assert (
        api.frame("PJRT_ExecuteOptions")["struct_size"]
        == layout("PJRT_ExecuteOptions").fields["multi_slice_config"].offset
    )


def test_an_extension_is_bounded_by_its_own_size(build_fake: Build) -> None:
    size = layout("PJRT_Layouts_Extension").fields["PJRT_Layouts_PJRT_Client_GetDefaultLayout"].offset
    plugin = Plugin(build_fake(MINOR=90, EXTENSION_SIZE=size))
    extension = plugin.require("Layouts")
    assert extension.size == size
    assert not extension.has("PJRT_Layouts_PJRT_Client_GetDefaultLayout")
    with pytest.raises(Unsupported, match=f"{size} bytes"):
        default_layout(Client(plugin), "float32", (2,))


def test_a_missing_extension_names_those_there_are(build_fake: Build) -> None:
    with pytest.raises(Unsupported, match="no FFI extension; it has: Layouts"):
        Plugin(build_fake(MINOR=90, EXTENSION_SIZE=80)).require("FFI")


def test_a_client_that_cannot_be_created(build_fake: Build) -> None:
    path = build_fake(CREATE_ERROR=9)
    with pytest.raises(FailedPrecondition, match="no device today"):
        Client(Plugin(path))
    assert live(path)[0] == 0


def test_not_plugins(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("not a library")
    with pytest.raises(NotAPlugin, match="cannot be loaded"):
        Plugin(text)
    library = next(Path("/lib").rglob("libm.so.6"))
    with pytest.raises(NotAPlugin, match="GetPjrtApi"):
        Plugin(library)


def test_a_library_of_another_machine(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.so"
    header = bytearray(Path("/proc/self/exe").read_bytes()[:4096])
    header[18:20] = (0x28).to_bytes(2, "little")  # EM_ARM
    foreign.write_bytes(bytes(header))
    with pytest.raises(NotAPlugin):
        Plugin(foreign)


def test_out_of_memory_shows_the_allocator_and_a_hint(build_fake: Build) -> None:
    client = Client(Plugin(build_fake(OUT_OF_MEMORY=1)))
    with pytest.raises(ResourceExhausted, match=r"bytes_in_use=4.0 KiB, bytes_limit=8.0 KiB(.|\n)*hint: ") as caught:
        put(client)
    assert isinstance(caught.value, MemoryError)


def test_slow_events_time_out_and_then_arrive(build_fake: Build) -> None:
    client = Client(Plugin(build_fake(EVENT_DELAY_US=1_000_000)))
    buffer = put(client)
    with pytest.raises(DeadlineExceeded, match="0.02 s"):
        buffer.wait(0.02)
    assert not buffer.is_ready()
    assert buffer.wait(10) is buffer


def test_failing_events_raise_where_the_contents_are_read(build_fake: Build) -> None:
    client = Client(Plugin(build_fake(EVENT_DELAY_US=20_000, EVENT_ERROR=10)))
    buffer = put(client)
    for read in (buffer.wait, lambda: buffer.wait(5), buffer.to_host, lambda: buffer.read().result()):
        with pytest.raises(Aborted, match="the event failed"):
            read()

    async def awaiting() -> None:
        await buffer

    with pytest.raises(Aborted):
        asyncio.run(awaiting())


def test_an_event_is_set_in_one_thread_and_waited_for_in_another(build_fake: Build) -> None:
    plugin = Plugin(build_fake())
    event = Event.create(plugin)
    seen: list[str] = []
    waiter = threading.Thread(target=lambda: seen.append("done" if event.wait(10) is None else ""))
    waiter.start()
    time.sleep(0.05)
    assert not event.done()
    event.set()
    waiter.join(10)
    assert seen == ["done"] and event.done()


def test_waiting_releases_the_gil(build_fake: Build) -> None:
    client = Client(Plugin(build_fake(EVENT_DELAY_US=1_000_000)))
    buffer = put(client)
    worker = threading.Thread(target=buffer.wait)
    worker.start()
    assert buffer.dtype == "float32" and buffer.shape == (2,)
    assert worker.is_alive() and not buffer.is_ready(), "metadata waited for another thread's wait"
    worker.join()


def test_callbacks_do_not_pile_up_and_may_raise(build_fake: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    from ppy_pjrt import event as module

    reported: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    event = Event.create(Plugin(build_fake()))
    event.add_done_callback(lambda error: 1 / 0)
    event.set("ABORTED", "x")
    assert [report.exc_type for report in reported] == [ZeroDivisionError]
    for _ in range(100):
        event.add_done_callback(lambda error: None)
    assert not module._pending


def test_a_failed_execution_frees_the_results_it_had_made(build_fake: Build) -> None:
    path = build_fake(OUTPUTS=3, EXECUTE_ERROR=1)
    client = Client(Plugin(path))
    executable = client.compile("module {}")
    x = put(client)
    results = executable(x)
    with pytest.raises(Internal, match="second output"):
        executable(x)
    executable(x)
    with pytest.raises(Internal):
        executable(x)
    del results
    assert live(path)[2] == 1, "only the argument is left"


def test_nothing_is_left_when_everything_is_gone(build_fake: Build) -> None:
    path = build_fake(OUTPUTS=2)
    client = Client(Plugin(path))
    executable = client.compile("module {}")
    x = put(client)
    for _ in range(50):
        a, b = executable(x)
        a.wait()
        executable(b)
    del a, b, x, executable, client
    assert live(path) == [0, 0, 0, 0, 0]


@pytest.mark.parametrize("order", ["client first", "executable first", "buffer first"])
def test_closing_in_any_order(build_fake: Build, order: str) -> None:
    path = build_fake(OUTPUTS=1)
    before = live(path)
    client = Client(Plugin(path))
    executable = client.compile("module {}")
    x = put(client)
    (y,) = executable(x)
    everything = {"client": client, "executable": executable, "buffer": y}
    first = order.split()[0]
    everything.pop(first).close()
    if first == "client":
        with pytest.raises(HandleClosed, match="closed"):
            executable(x)
        with pytest.raises(HandleClosed, match="client"):
            x.to_host()
        assert live(path)[4] == 1, "children keep the C client"
    for item in everything.values():
        item.close()
        item.close()
    with pytest.raises(HandleClosed):
        y.to_host()
    with pytest.raises(HandleClosed):
        executable(x)
    everything.clear()
    del client, executable, x, y, item
    assert live(path) == before


def test_a_view_outlives_buffer_and_client(build_fake: Build) -> None:
    path = build_fake(OUTPUTS=1)
    client = Client(Plugin(path))
    client.platform = "cpu"  # the fake's memory is host memory
    buffer = put(client)
    numpy = pytest.importorskip("numpy")
    view = numpy.from_dlpack(buffer)
    buffer.close()
    client.close()
    del buffer, client
    gc.collect()
    assert view.tolist() == [1, 2]
    del view
    assert live(path)[2] == 0 and live(path)[4] == 0


def test_unconsumed_capsules_let_go(build_fake: Build) -> None:
    from ppy_pjrt.dlpack import live_exports

    path = build_fake(OUTPUTS=1)
    client = Client(Plugin(path))
    client.platform = "cpu"
    buffer = put(client)
    before = live_exports()
    for version in (None, (1, 0)):
        capsule = buffer.__dlpack__(max_version=version)
        assert live_exports() == before + 1
        del capsule
        assert live_exports() == before
    buffer.close()
    assert live(path)[2] == 0


def test_a_buffer_closed_while_a_call_uses_it(build_fake: Build) -> None:
    path = build_fake(OUTPUTS=1)
    client = Client(Plugin(path))
    executable = client.compile("module {}")
    stop = threading.Event()
    failures: list[BaseException] = []
    box = [put(client)]

    def call() -> None:
        while not stop.is_set():
            try:
                executable(box[0])
            except HandleClosed:
                pass
            except BaseException as error:
                failures.append(error)
                return

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        old, box[0] = box[0], put(client)
        old.close()
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures


def test_cycles_through_a_client_are_collected_in_a_safe_order(build_fake: Build) -> None:
    """A client refers to its devices and they to it; a user's own cycle around all of it changes nothing."""
    path = build_fake(OUTPUTS=1)
    before = live(path)
    for close in (False, True):
        client = Client(Plugin(path))
        executable = client.compile("module {}")
        box: dict[str, object] = {
            "client": client,
            "executable": executable,
            "buffers": [put(client) for _ in range(3)],
        }
        box["results"] = executable(put(client))
        box["self"] = box
        client.box = box  # type: ignore[attr-defined]
        if close:
            client.close()
        del client, executable, box
        gc.collect()
        assert live(path) == before
