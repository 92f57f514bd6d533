"""Key-value stores and rendezvous."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pjrt_programs import ADD, ALL_REDUCE
from ppy_pjrt.abi import Frame, layout
from ppy_pjrt.client import Client
from ppy_pjrt.errors import ArgumentMismatch, DeadlineExceeded, InvalidArgument, NotFound, PjrtError, Unavailable
from ppy_pjrt.kv import FileStore, InMemoryStore, KvBridge, process_infos
from ppy_pjrt.kv_tcp import TcpServer, TcpStore
from ppy_pjrt.options import CompileOptions
from ppy_pjrt.plugin import Plugin


@pytest.fixture(params=["memory", "file", "tcp"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[object]:
    if request.param == "memory":
        yield InMemoryStore()
    elif request.param == "file":
        yield FileStore(tmp_path)
    else:
        with TcpServer() as server:
            yield TcpStore(server.address)


@pytest.mark.host
def test_put_get_and_binary_values(store: InMemoryStore) -> None:
    value = bytes(range(256)) * 300
    store.put(b"k\0\xff", value)
    assert store.get(b"k\0\xff", 1) == store.try_get(b"k\0\xff") == value
    store.put(b"k\0\xff", b"")
    assert store.try_get(b"k\0\xff") == b""


@pytest.mark.host
def test_missing_keys(store: InMemoryStore) -> None:
    with pytest.raises(NotFound, match="nothing"):
        store.try_get(b"nothing")
    start = time.monotonic()
    with pytest.raises(DeadlineExceeded, match="0.05 s"):
        store.get(b"nothing", 0.05)
    assert 0.04 < time.monotonic() - start < 5


@pytest.mark.host
def test_get_waits_for_another_thread(store: InMemoryStore) -> None:
    threading.Timer(0.05, lambda: store.put(b"late", b"value")).start()
    assert store.get(b"late", 20) == b"value"


@pytest.mark.host
def test_a_server_that_is_not_there_and_one_that_goes_away() -> None:
    with pytest.raises(Unavailable, match="no key-value server"):
        TcpStore(("127.0.0.1", 1), connect_timeout=0.5).put(b"a", b"b")
    server = TcpServer(token=b"secret")
    with pytest.raises(Unavailable):
        TcpStore(server.address, connect_timeout=0.3, token=b"wrongs").try_get(b"a")
    store = TcpStore(server.address, connect_timeout=5, token=b"secret")
    store.put(b"a", b"b")
    server.close()


@pytest.mark.host
def test_two_file_stores_share_a_folder(tmp_path: Path) -> None:
    FileStore(tmp_path).put(b"a", b"1")
    assert FileStore(tmp_path).try_get(b"a") == b"1"


@pytest.mark.host
def test_process_records() -> None:
    frames = process_infos([(3, 1 << 40, "connected")])
    assert frames.items[0]["task_id"] == 3 and frames.items[0]["incarnation_id"] == 1 << 40
    with pytest.raises(PjrtError, match="'gone'.*connected"):
        process_infos([(0, 0, "gone")])


@pytest.mark.cpu
def test_the_bridge_answers_as_a_plugin_would_ask(plugin: Plugin) -> None:
    """The callbacks called through their C pointers, with frames as a plugin fills them."""
    import ctypes

    from ppy_pjrt import kv

    bridge = KvBridge(plugin.api, InMemoryStore())
    call = {name: kv._CALLBACK(pointer) for name, pointer in bridge.fields().items()}
    put = Frame(layout("PJRT_KeyValuePutCallback_Args"))
    put["key"], put["value"] = b"key", b"value"
    assert call["kv_put_callback"](put.address) is None
    get = Frame(layout("PJRT_KeyValueGetCallback_Args"))
    get["key"], get["timeout_in_ms"] = b"key", 100
    assert call["kv_get_callback"](get.address) is None
    assert get.bytes("value") == b"value" and len(kv._lent) == 1
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(get["value_deleter_callback"])(get["value"])
    assert not kv._lent and bridge.calls == 2


@pytest.mark.cpu
def test_a_client_takes_a_store(plugin: Plugin) -> None:
    with pytest.raises(ArgumentMismatch, match="a dict is no key-value store: it has no try_get, put"):
        Client(plugin, kv_store={})  # type: ignore[arg-type]
    with Client(plugin, kv_store=InMemoryStore()) as client:
        assert client.devices


@pytest.mark.cpu
def test_the_cpu_refuses_programs_over_several_processes(newest: Path) -> None:
    """The newest plugin numbers processes; a program over the devices of two is told why it cannot be."""
    options = CompileOptions(num_replicas=2, device_assignment=[[0], [2048]])
    with Client(newest, options={"process_id": 1, "cpu_device_count": 1}, kv_store=InMemoryStore()) as client:
        assert client.process_index == 1 and [device.id for device in client.all_devices] == [2048]
        with pytest.raises(InvalidArgument, match="Multiprocess computations"):
            client.compile(ALL_REDUCE, options)


_PROCESS = """
import sys, numpy
from ppy_pjrt.client import Client
from ppy_pjrt.kv_tcp import TcpStore
index, port, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
store = TcpStore(("127.0.0.1", port))
with Client(path, kv_store=store) as client:
    exe = client.compile(sys.argv[4])
    (mine,) = exe(numpy.full((2, 3), index + 1.0, "float32"), numpy.zeros((2, 3), "float32"))
    store.put(b"part/%d" % index, bytes(mine.to_host().cast("B")))
    other = numpy.frombuffer(store.get(b"part/%d" % (1 - index), 60), "float32").reshape(2, 3)
    (total,) = exe(mine, other)
    print(total.tolist()[0][0])
"""


@pytest.mark.cpu
def test_two_processes_meet_and_exchange(newest: Path) -> None:
    with TcpServer() as server:
        command = [sys.executable, "-c", _PROCESS]
        running = [
            subprocess.Popen(
                [*command, str(i), str(server.address[1]), str(newest), ADD], stdout=-1, stderr=-1, text=True
            )
            for i in range(2)
        ]
        ends = [process.communicate(timeout=100) for process in running]
    assert [out.strip() for out, _ in ends] == ["3.0", "3.0"], ends
