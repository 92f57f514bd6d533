"""The pool of threads: what it runs, how many there are, forks, signals, the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from native_library import compile_c, directory, function, libraries

PRELUDE = """
import ctypes, os, signal, sys, threading, time
support = ctypes.CDLL({support!r}, mode=ctypes.RTLD_GLOBAL)
user = ctypes.CDLL({user!r})
for function in (support.ppy_usable_cpus, support.ppy_thread_count):
    function.restype = ctypes.c_int64
for function in (user.threads_cover, user.threads_meet, user.threads_sum):
    function.restype = ctypes.c_int64
user.threads_cover.argtypes = (ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
user.threads_meet.argtypes = (ctypes.c_int64, ctypes.c_int64)
user.threads_sum.argtypes = (ctypes.c_int64,)
workers = lambda: len(os.listdir("/proc/self/task")) - 1
"""


@cache
def prelude() -> str:
    """What loads the libraries in a process of its own."""
    path = directory() / "threads.so"
    compile_c([Path(__file__).with_name("sample_threads.c")], path)
    return PRELUDE.format(support=libraries()[0]._name, user=str(path))


def run(script: str, threads: str | None = "4", **variables: str) -> str:
    """What ``script`` prints in a process of its own, whose pool has as many threads as said."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PPY_NUM_THREADS", "OMP_NUM_THREADS")}
    environment |= variables | ({} if threads is None else {"PPY_NUM_THREADS": threads})
    command = [sys.executable, "-c", prelude() + script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


COVER = """
bounds = ctypes.c_int64()
found = [(n, grain, user.threads_cover(n, grain, ctypes.byref(bounds)), bounds.value)
         for n in (0, 1, 2, 127, 128, 129, 1000, 99999) for grain in (-1, 0, 1, 2, 100, 5000, 10**9)]
print(found)
"""


def test_ranges_cover_all_once_and_do_not_depend_on_the_threads() -> None:
    found = {threads: eval(run(COVER, threads)) for threads in ("1", "2", "7")}
    assert found["1"] == found["2"] == found["7"]
    for n, grain, ranges, _ in found["1"]:
        assert ranges == (0 if n == 0 else max(1, min(128, n // max(grain, 1))))


def test_a_region_runs_on_all_threads_at_once() -> None:
    assert run("print(user.threads_meet(16, 4), workers())") == "4 3"


def test_threads_start_with_the_first_region_that_needs_them() -> None:
    script = "count = support.ppy_thread_count()\nuser.threads_sum(4)\nbefore = workers()\nuser.threads_sum(10**4)\n"
    assert run(script + "print(count, before, workers())", "3") == "3 0 2"
    assert run(script + "print(count, before, workers())", "1") == "1 0 0"


def test_calls_inside_a_region_run_where_they_are_made() -> None:
    assert run("print(user.threads_nest())") == "0"


def test_regions_of_many_threads_at_once() -> None:
    assert run("print(user.threads_crowd())") == "0"


@pytest.mark.parametrize(
    ("variables", "count"),
    [
        ({"PPY_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
        ({"OMP_NUM_THREADS": "5"}, 5),
        ({"OMP_NUM_THREADS": "6,2"}, 6),
        ({"PPY_NUM_THREADS": "0", "OMP_NUM_THREADS": "5"}, 5),
        ({"PPY_NUM_THREADS": "many", "OMP_NUM_THREADS": "5"}, 5),
        ({"PPY_NUM_THREADS": "2x", "OMP_NUM_THREADS": "5"}, 5),
        ({"PPY_NUM_THREADS": "99999999"}, 128),
    ],
)
def test_the_size_that_variables_ask_for(variables: dict[str, str], count: int) -> None:
    assert run("print(support.ppy_usable_cpus(), support.ppy_thread_count())", None, **variables) == (
        f"{count} {count}"
    )


def test_the_size_follows_the_affinity() -> None:
    script = """
allowed = os.sched_getaffinity(0)
free = support.ppy_usable_cpus()
os.sched_setaffinity(0, {min(allowed)})
print(1 <= free <= len(allowed), support.ppy_usable_cpus())
"""
    assert run(script, None) == "True 1"


@pytest.mark.parametrize(
    ("groups", "files", "cpus"),
    [
        ("0::/\n", {"cpu.max": "max 100000\n"}, None),
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 2),
        ("0::/\n", {"cpu.max": "1000 100000\n"}, 1),
        ("0::/a/b\n", {"a/cpu.max": "300000 100000\n", "a/b/cpu.max": "max 100000\n"}, 3),
        ("0::/a/b\n", {"a/cpu.max": "300000 100000\n", "a/b/cpu.max": "200000 100000\n"}, 2),
        ("0::/of/the/host\n", {"cpu.max": "500000 100000\n"}, 5),
        ("4:memory:/m\n1:cpu:/x\n", {"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, None),
        ("1:cpu:/x\n", {"cpu/x/cpu.cfs_quota_us": "400000\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, 4),
        (
            "3:cpuset:/\n2:cpu,cpuacct:/\n",
            {"cpu,cpuacct/cpu.cfs_quota_us": "250000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n"},
            3,
        ),
        ("nonsense\n::\n0:\n", {"cpu.max": "100000 100000\n"}, None),
        ("0::/\n", {"cpu.max": "\n"}, None),
        ("0::/\n", {}, None),
    ],
)
def test_limits_of_control_groups(tmp_path: Path, groups: str, files: dict[str, str], cpus: int | None) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(groups)
    for name, text in files.items():
        path = tmp_path / "sys/fs/cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = function("ppy_cgroup_cpus")(os.fsencode(tmp_path))
    assert found == (2**63 - 1 if cpus is None else cpus)


def test_no_groups_are_no_limit(tmp_path: Path) -> None:
    assert function("ppy_cgroup_cpus")(os.fsencode(tmp_path)) == 2**63 - 1


def test_a_child_starts_its_own_threads() -> None:
    script = """
user.threads_sum(10**5)
before = workers()
child = os.fork()
if child == 0:
    inherited = workers()
    right = user.threads_sum(10**5) == 10**5 * (10**5 - 1) // 2 and user.threads_meet(16, 4) == 4
    os._exit(0 if right and inherited == 0 and workers() == 3 else 1)
print(before, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), user.threads_sum(10))
"""
    assert run(script) == "3 0 45"


def test_a_fork_while_a_region_runs() -> None:
    script = """
thread = threading.Thread(target=user.threads_hold)
thread.start()
while user.threads_held() < 4:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    os._exit(0 if user.threads_meet(16, 4) == 4 else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
busy = user.threads_sum(1000)
user.threads_release()
thread.join()
print(status, busy, user.threads_meet(16, 4))
"""
    assert run(script) == "0 499500 4"


def test_signals_go_to_the_interpreters_threads() -> None:
    script = """
user.threads_sum(10**4)
masks = [
    line.split()[1]
    for task in os.listdir("/proc/self/task") if int(task) != os.getpid()
    for line in open(f"/proc/self/task/{task}/status") if line.startswith("SigBlk")
]
need = 1 << signal.SIGINT - 1 | 1 << signal.SIGALRM - 1 | 1 << signal.SIGTERM - 1
print(len(masks), all(int(mask, 16) & need == need for mask in masks))
"""
    assert run(script) == "3 True"


def test_sleeping_threads_use_no_time() -> None:
    script = """
user.threads_sum(10**5)
before = time.process_time()
time.sleep(0.5)
print(time.process_time() - before < 0.1)
"""
    assert run(script) == "True"


@pytest.mark.parametrize("script", ["user.threads_sum(10**5)", "print('in the middle')"])
def test_the_process_ends_with_its_threads(script: str) -> None:
    held = """
threading.Thread(target=user.threads_hold, daemon=True).start()
while user.threads_held() < 4:
    time.sleep(0.001)
"""
    assert run((held if "middle" in script else "") + script) in ("", "in the middle")


REGION = """
run = ctypes.PyDLL({user!r}).threads_region
run.argtypes = (ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
assert ctypes.PyDLL({support!r}).ppy_support_check() == 0
find = ctypes.PyDLL({support!r}).ppy_ctx_find
find.restype = ctypes.c_void_p
ctx = find()
patience = (ctypes.c_int64 * 2)()


def region(trips, step=1, fails_at=-1, start=(5, 0, -1)):
    values = (ctypes.c_int64 * 3)(*start)
    return run(ctx, trips, step, fails_at, values, patience), list(values)


"""


def region(script: str, threads: str = "3") -> str:
    text = REGION.format(user=str(directory() / "threads.so"), support=libraries()[0]._name)
    return run(text + script, threads)


def test_a_region_combines_what_its_chunks_found() -> None:
    total, mixed = 10_000 * 9_999 // 2, 0
    for i in range(10_000):
        mixed ^= i
    assert region("print(region(10_000), workers())") == f"(1, [{total + 5}, {mixed}, 9999]) 2"
    assert region("print(region(10_000)[0], region(150)[0], workers())", "1") == "0 0 0"
    assert region("print(region(150)[0], workers())") == "0 0"


def test_a_region_that_gives_up_has_done_nothing_and_waits_longer_each_time() -> None:
    script = """
print(region(10_000, fails_at=9_999)[0], [region(10_000, fails_at=0)[0] for _ in range(12)], region(10_000)[0])
print(list(patience), [region(10_000)[0] for _ in range(8)])
"""
    first, second = region(script).splitlines()
    assert first == f"0 {[0] * 12} 0"
    waited = eval(second.partition("] ")[2])
    assert waited == sorted(waited)
    assert waited[-1] == 1


def test_a_sum_that_does_not_fit_is_given_up() -> None:
    assert region("print(region(10_000, 2**50)[0], region(10_000, 1, start=(2**63 - 10, 0, 0))[0])") == "0 0"


def test_a_region_gives_up_when_a_signal_waits() -> None:
    script = """
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.01)
answers = [region(2_000_000)[0]]
while not seen:
    answers.append(region(2_000_000)[0])
print(seen, set(answers) <= {0, 1})
"""
    assert region(script) == "[1] True"
