"""`@ppy.parallel` natively: that threads run, that nobody can tell by the results, and what interrupts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "packages/ppy-core/tests/acceptance/programs/parallel_loops.py"
SEQUENTIAL = {"sequential", "found_first"}
PPY = [sys.executable, "-m", "ppy_compiler"]
TIMEOUT = 120
pytestmark = pytest.mark.llvm

COUNTING = """
import os
import ppy


def heavy(i: int) -> int:
    found = i
    twice = int(i * 0.0 + 2.0)
    for a in range(twice):
        for b in range(twice):
            for c in range(twice):
                found += a + b + c
    return found % 1000


@ppy.parallel(require=True)
def total(n: int) -> int:
    found = 0
    for i in range(n):
        found += heavy(i)
    return found


def threads() -> int:
    return len(os.listdir("/proc/self/task"))
"""


def run(command: list[str], folder: Path, threads: int = 3, **variables: str) -> str:
    """Standard output; the exit status has to be 0."""
    environ = {**os.environ, "PPY_NUM_THREADS": str(threads), "PPY_CACHE_DIR": str(folder / "cache"), **variables}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def both(text: str, folder: Path, **variables: str) -> str:
    """What the program prints, natively as under CPython."""
    (folder / "main.py").write_text(text, encoding="utf-8")
    wanted = run([sys.executable, "main.py"], folder)
    assert run([*PPY, "run", "main.py"], folder, 3, **variables) == wanted
    return wanted


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_number_of_threads_changes_nothing(threads: int, tmp_path: Path) -> None:
    wanted = run([sys.executable, str(PROGRAM)], tmp_path)
    assert run([*PPY, "run", str(PROGRAM)], tmp_path, threads) == wanted


def test_every_eligible_loop_has_a_region(tmp_path: Path) -> None:
    text = run([*PPY, "emit", "--stage", "native", str(PROGRAM)], tmp_path)
    functions = {line.split("source='")[1].split("'")[0] for line in text.splitlines() if "role='region'" in line}
    source = PROGRAM.read_text(encoding="utf-8")
    marked = {part.split("def ")[1].split("(")[0] for part in source.split("@ppy.parallel\n")[1:]}
    assert functions == marked - SEQUENTIAL


def test_threads_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PPY_FAIL_GUARDS", raising=False)
    text = COUNTING + "before = threads()\ntotal(5)\nshort = threads()\nprint(total(5000), before, short, threads())\n"
    (tmp_path / "main.py").write_text(text, encoding="utf-8")
    assert run([*PPY, "run", "main.py"], tmp_path) == "2497500 1 1 3\n"
    assert run([*PPY, "run", "main.py"], tmp_path, threads=1) == "2497500 1 1 1\n"


def test_modules_and_artifacts_share_one_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PPY_FAIL_GUARDS", raising=False)
    (tmp_path / "other.py").write_text(COUNTING, encoding="utf-8")
    main = COUNTING + "import other\nprint(total(5000) + other.total(6000), threads())\n"
    (tmp_path / "main.py").write_text(main, encoding="utf-8")
    assert run([*PPY, "run", "main.py"], tmp_path) == "5494500 3\n"
    run([*PPY, "build", "main.py", "-o", "out"], tmp_path)
    assert run([str(tmp_path / "out/main")], tmp_path) == "5494500 3\n"


def test_threads_of_python_that_meet_in_loops(tmp_path: Path) -> None:
    text = COUNTING + """
import threading

found = []
crowd = [threading.Thread(target=lambda k=k: found.append((k, total(3000 + k)))) for k in range(6)]
for thread in crowd:
    thread.start()
for thread in crowd:
    thread.join()
print(sorted(found))
"""
    both(text, tmp_path)


LONG = COUNTING + """
import signal
import time


def handler(*_):
    seen.append(1)
    if len(seen) == last:
        raise KeyboardInterrupt


seen = []
signal.signal(signal.SIGALRM, handler)
"""


def test_ctrl_c_in_a_loop(tmp_path: Path) -> None:
    text = LONG + """
last = 1
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    total(200_000_000_000)
except KeyboardInterrupt as error:
    lines = []
    tb = error.__traceback__
    while tb is not None:
        lines.append((tb.tb_frame.f_code.co_name, tb.tb_lineno))
        tb = tb.tb_next
    print([line for line in lines if line[0] in ("<module>", "total")][:1], lines[-1])
"""
    both(text, tmp_path)


def test_a_signal_that_is_handled_in_a_loop(tmp_path: Path) -> None:
    text = LONG + """
last = -1
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
while len(seen) < 3:
    found = total(100_000)
signal.setitimer(signal.ITIMER_REAL, 0)
print(found)
"""
    both(text, tmp_path)


def test_forks_around_and_inside_loops(tmp_path: Path) -> None:
    text = COUNTING + """
import threading
import warnings

warnings.simplefilter("ignore")


def child(n: int) -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0 if total(n) == wanted else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


wanted = total(20_000)
codes = [child(20_000)]
done = []
worker = threading.Thread(target=lambda: done.append([total(300_000) for _ in range(2)]))
worker.start()
while not done:
    codes.append(child(20_000))
worker.join()
print(wanted, done, set(codes), total(20_000) == wanted)
"""
    both(text, tmp_path)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_guards_that_fail_in_chunks(seed: str, tmp_path: Path) -> None:
    wanted = run([sys.executable, str(PROGRAM)], tmp_path)
    assert run([*PPY, "run", str(PROGRAM)], tmp_path, PPY_FAIL_GUARDS=seed) == wanted


def test_a_loop_that_gives_up_is_tried_less_often(tmp_path: Path) -> None:
    """What overflows every time is right every time, too."""
    text = COUNTING + """

@ppy.parallel(require=True)
def large(n: int, factor: int) -> int:
    found = 0
    for i in range(n):
        found += heavy(i) * factor
    return found


print([large(400, 2**60) for _ in range(20)] == [large(400, 1) * 2**60] * 20)
"""
    assert both(text, tmp_path) == "True\n"
