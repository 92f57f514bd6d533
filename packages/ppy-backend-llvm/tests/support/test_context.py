"""Contexts, polls, the GIL, deep recursion, the guard stress mode."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from native_library import context, function
from sample import Sample


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


def test_each_thread_has_its_context() -> None:
    mine = context()
    assert context() == mine
    others: list[tuple[int, int]] = []

    def run() -> None:
        address = context()
        others.append((address, ctypes.c_uint64.from_address(address).value))

    for _ in range(3):
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    assert all(address != mine for address, _ in others)
    assert context() == mine
    limits = {limit for _, limit in others} | {ctypes.c_uint64.from_address(mine).value}
    assert len(limits) > 1


@pytest.fixture
def alarm() -> Iterator[None]:
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


@pytest.mark.parametrize("nogil", [False, True])
def test_signal_handlers_run_in_a_native_loop(sample: Sample, alarm: None, nogil: bool) -> None:
    seen: list[str] = []
    signal.signal(signal.SIGALRM, lambda *_: seen.append("handled"))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while not seen:
        assert sample.spin(nogil) == 2
    assert seen == ["handled"]


@pytest.mark.parametrize("nogil", [False, True])
def test_an_exception_from_a_handler_leaves_the_loop(sample: Sample, alarm: None, nogil: bool) -> None:
    def handler(*_: object) -> None:
        raise KeyboardInterrupt("stop")

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)

    def spin_on() -> None:
        while True:
            sample.spin(nogil)

    with pytest.raises(KeyboardInterrupt, match="stop") as caught:
        spin_on()
    entries = [entry.name for entry in caught.traceback]
    assert entries[-1] == "handler"
    assert not any("ppy" in entry for entry in entries)


@pytest.mark.parametrize("nogil", [False, True])
def test_other_threads_get_their_turn(sample: Sample, alarm: None, nogil: bool) -> None:
    done: list[int] = []

    def run() -> None:
        done.extend(i for i in range(1000))
        os.kill(os.getpid(), signal.SIGALRM)

    signal.signal(signal.SIGALRM, lambda *_: done.append(-1))
    thread = threading.Thread(target=run)
    thread.start()
    while -1 not in done:
        assert sample.spin(nogil) == 2
    thread.join()
    assert done == [*range(1000), -1]


def test_asynchronous_exceptions_arrive(sample: Sample) -> None:
    class Stop(Exception):
        pass

    caught: list[BaseException] = []

    def run() -> None:
        try:
            while True:
                sample.spin(True)
        except Stop as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.02)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Stop))
    thread.join(10)
    assert not thread.is_alive()
    assert len(caught) == 1


def test_a_quiet_poll_is_quiet() -> None:
    poll = function("ppy_poll")
    assert 0 in {poll(context()) for _ in range(20)}
    assert ctypes.c_int64.from_address(context() + 16).value == 65536


def test_recursion_goes_on_in_new_stacks_up_to_the_limit(sample: Sample) -> None:
    limit = sys.getrecursionlimit()
    assert sample.depth(1000) == 1000
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        sample.depth(10**9)
    assert sample.depth(1000) == 1000
    try:
        sys.setrecursionlimit(200_000)
        assert sample.depth(200_000) == 200_000
        assert sample.depth(1_500_000) == 1_500_000
        with pytest.raises(RecursionError):
            sample.depth(10**9)
    finally:
        sys.setrecursionlimit(limit)


def test_recursion_in_a_thread_with_a_small_stack(sample: Sample) -> None:
    results: list[object] = []

    def run() -> None:
        results.append(sample.depth(1000))
        try:
            sample.depth(10**9)
        except RecursionError:
            results.append("limit")

    threading.stack_size(64 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert results == [1000, "limit"]


STRESS = """
import sys; sys.path.insert(0, {here!r})
from native_library import context, function
fail = function("ppy_fail_guard")
print([fail(context()) for _ in range(200)])
"""


def test_guards_fail_at_random_when_asked() -> None:
    def run(seed: str | None) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "PPY_FAIL_GUARDS"}
        if seed is not None:
            environment["PPY_FAIL_GUARDS"] = seed
        script = STRESS.format(here=str(Path(__file__).parent))
        return subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        ).stdout

    none, first, second = run(None), run("1"), run("2")
    assert "1" not in none
    assert first != second
    assert 2 <= first.count("1") <= 60
    assert run("1") == first
