"""Whole processes: threads, growth, fork, exit, import order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pjrt_programs import ADD, SLOW, STEP, adds

pytestmark = pytest.mark.cpu

_HEAD = """
import gc, os, sys, threading, time
import numpy as np
from ppy_pjrt.client import Client
path, add, step, slow, many = sys.argv[1:6]
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
"""


def run(path: Path, code: str, *, expect: int = 0, timeout: float = 100) -> str:
    command = [sys.executable, "-X", "faulthandler", "-c", _HEAD + code, str(path), ADD, STEP, SLOW, adds(8)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == expect, done.stderr[-3000:]
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    return done.stdout.strip()


def test_a_hundred_thousand_calls_do_not_grow(newest: Path) -> None:
    run(newest, """
client = Client(path)
exe, donate = client.compile(many), client.compile(step)
xs = [client.put(np.ones(4, "float32")) for _ in range(8)]
one = client.put(np.ones(8, "float32"))
theta = client.put(np.zeros(8, "float32"))
def work(n):
    global theta
    for _ in range(n):
        exe(*xs)
        (theta,) = donate(theta, one)
work(5000)
gc.collect()
objects, before = len(gc.get_objects()), resident()
work(50_000)
gc.collect()
assert len(gc.get_objects()) < objects + 200, len(gc.get_objects()) - objects
assert resident() < before + (24 << 20), (resident() - before) >> 20
assert len(client._specs) < 20
assert theta.tolist()[0] == 55_000
x = np.ones(4, "float32")
for _ in range(3000):
    np.asarray(exe(*[x] * 8)[0]); client.put(x).read().result()
gc.collect()
middle = resident()
for _ in range(10_000):
    np.asarray(exe(*[x] * 8)[0]); client.put(x).read().result()
assert resident() < middle + (24 << 20), (resident() - middle) >> 20
""")  # fmt: skip


def test_eight_threads(plugin_path: Path) -> None:
    run(plugin_path, """
client = Client(path)
exe = client.compile(add)
x = np.arange(6, dtype="float32").reshape(2, 3)
shared = client.put(x)
failures = []
def work(seed):
    try:
        for i in range(300):
            own = client.put(x + seed)
            (a,) = exe(own, shared)
            if i % 3 == 0: own.close()
            (b,) = exe(a, x)
            if i % 5 == 0: assert np.array_equal(np.asarray(b), x + seed + x + x)
            if i % 7 == 0: b.read()
            if i % 50 == 0: client.compile(add)
            if i % 11 == 0: np.from_dlpack(a)
    except BaseException as error:
        failures.append(error)
threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert not failures, failures
""")  # fmt: skip


def test_errors_in_eight_threads(plugin_path: Path) -> None:
    """The argument struct of an error was freed before the plugin read it, and another thread took its place."""
    run(plugin_path, """
from ppy_pjrt.errors import InvalidArgument
client = Client(path)
right = []
def work():
    for i in range(4000):
        try:
            client.lookup_device(1000 + i)
        except InvalidArgument as error:
            right.append(str(1000 + i) in str(error))
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert right == [True] * 32_000
""")  # fmt: skip


def test_the_first_call_in_eight_threads(plugin_path: Path) -> None:
    run(plugin_path, """
from ppy_pjrt.errors import Unimplemented
sys.setswitchinterval(1e-5)
client = Client(path)
x = np.ones((2, 3), "float32")
failures = []
for round in range(60):
    exe, gate = client.compile(add), threading.Barrier(8)
    def first():
        gate.wait()
        try:
            assert exe.execute(x, x)[0].shape == exe(x, x)[0].shape == (2, 3)
            assert exe.name == "add" and len(exe.output_memory_kinds()) == 1
        except Unimplemented:  # older plugins have no memory kinds
            pass
        except BaseException as error:
            failures.append(error)
    threads = [threading.Thread(target=first) for _ in range(8)]
    [t.start() for t in threads]; [t.join() for t in threads]
    assert not failures, failures
""")  # fmt: skip


def test_closing_from_other_threads_while_calls_run(plugin_path: Path) -> None:
    run(plugin_path, """
from ppy_pjrt.errors import HandleClosed
x = np.arange(6, dtype="float32").reshape(2, 3)
for round in range(12):
    client = Client(path)
    exe = client.compile(add)
    box = [client.put(x)]
    failures = []
    def work():
        try:
            while True:
                exe(box[0], x)[0].wait()
        except HandleClosed:
            return
        except BaseException as error:
            failures.append(error)
    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    for _ in range(20):
        old, box[0] = box[0], client.put(x)
        time.sleep(0.0005)
    [exe, client, box[0]][round % 3].close()
    [t.join(20) for t in threads]
    assert not failures and not any(t.is_alive() for t in threads), failures
    del client, exe, box
""")  # fmt: skip


def test_fork_is_refused_with_a_message_and_harmless(plugin_path: Path) -> None:
    out = run(plugin_path, """
from ppy_pjrt.errors import ForkedProcess
client = Client(path)
exe = client.compile(add)
x = np.ones((2, 3), "float32")
buffer = client.put(x)
exe(buffer, buffer); exe(buffer, buffer)
child = os.fork()
if child == 0:
    seen = []
    for use in (lambda: exe(buffer, buffer), lambda: exe(x, x), lambda: exe.execute(x, x), buffer.to_host,
                lambda: client.put(x), lambda: client.compile(add), lambda: Client(path), buffer.is_ready):
        try:
            use()
        except ForkedProcess as error:
            seen.append("spawn" in str(error) or "fork" in str(error))
    del use, exe, buffer, client
    gc.collect()
    os._exit(0 if seen == [True] * 8 else 10 + len(seen))
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), exe(buffer, buffer)[0].tolist()[0][0])
""")  # fmt: skip
    assert out == "0 2.0"


def test_a_forked_child_does_not_wait_for_what_its_parent_waits_for(plugin_path: Path) -> None:
    out = run(plugin_path, """
client = Client(path)
exe = client.compile(slow)
a = client.put(np.full((600, 600), 0.01, "float32"))
exe(a)
threads = [threading.Thread(target=lambda: exe(a)[0].wait()) for _ in range(2)]
exe(a)[0].ready().add_done_callback(lambda error: None)
[t.start() for t in threads]
child = os.fork()
if child == 0:
    start = time.monotonic()
    import atexit
    atexit._run_exitfuncs()
    os._exit(time.monotonic() - start > 5)
_, status = os.waitpid(child, 0)
[t.join() for t in threads]
print(os.waitstatus_to_exitcode(status))
""")  # fmt: skip
    assert out == "0"


@pytest.mark.parametrize("what", ["running", "reading", "callback", "view", "cycle", "daemons"])
def test_exit_at_any_moment(plugin_path: Path, what: str) -> None:
    endings = {
        "running": "keep = exe(a)",
        "reading": "keep = exe(a)[0].read()",
        "callback": "exe(a)[0].ready().add_done_callback(lambda error: print('called'))",
        "view": "keep = np.from_dlpack(exe(a)[0]); client.close()",
        "cycle": "client.me = client; a.client.them = [exe, a]",
        "daemons": """
from ppy_pjrt.errors import HandleClosed
def loop():
    try:
        while True: exe(a)[0].wait()
    except HandleClosed: pass
for _ in range(3): threading.Thread(target=loop, daemon=True).start()
time.sleep(0.1)
""",
    }
    out = run(plugin_path, f"""
client = Client(path)
exe = client.compile(slow)
a = client.put(np.full((600, 600), 0.01, "float32"))
{endings[what]}
print("end")
""")  # fmt: skip
    assert out.startswith("end") or "end" in out


@pytest.mark.parametrize("first", ["jax", "ours"])
def test_beside_jax_in_either_order(newest: Path, first: str) -> None:
    pytest.importorskip("jax")
    ours = "client = Client(path); exe = client.compile(add); x = np.ones((2, 3), 'float32'); exe(x, x)"
    theirs = "import jax; jax.config.update('jax_platforms', 'cpu'); jax.numpy.ones(3).block_until_ready()"
    lines = [theirs, ours] if first == "jax" else [ours, theirs]
    code = "\n".join(lines) + "\nj = client.from_dlpack(jax.numpy.arange(64, dtype='float32'))\nprint(j.tolist()[3])"
    assert run(newest, code) == "3.0"


def test_every_plugin_in_one_process() -> None:
    from pjrt_support import cpu_plugins

    code = """
from ppy_pjrt.discovery import candidates
x = np.ones((2, 3), "float32")
clients = [Client(str(item.path)) for item in candidates("cpu")]
for client in clients + clients[::-1]:
    assert client.compile(add)(x, x)[0].tolist() == [[2.0] * 3] * 2
print(len(clients))
"""
    assert run(cpu_plugins()[0], code) == str(len(cpu_plugins()))


def test_a_plugin_is_quiet_unless_asked(plugin_path: Path) -> None:
    code = "from ppy_pjrt.client import Client; import sys; c = Client(sys.argv[1]); c.compile(sys.argv[2]); c.close()"
    environment = {k: v for k, v in os.environ.items() if k not in ("TF_CPP_MIN_LOG_LEVEL", "PPY_PJRT_LOG")}
    command = [sys.executable, "-c", code, str(plugin_path), ADD]
    assert subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stderr == ""
