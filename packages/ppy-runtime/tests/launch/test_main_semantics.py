"""A launched program sees what it would see under ``python FILE``, and ends as it would end there.

Each case runs twice: as ``python SOURCE`` and as an artifact whose entry is the same file. Everything is compared:
standard output, standard error byte for byte (tracebacks included), exit status.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SITUATION = """
import sys, os, threading, multiprocessing, atexit, pickle
print(sorted(globals()))
print(list(globals())[:9])
print(__name__, __file__, __doc__, __package__, type(__loader__), __loader__.name, __loader__.path, __spec__)
print(__builtins__, __annotations__, __cached__)
print(sys.argv, sys.path[0], sys.modules["__main__"].__dict__ is globals(), __debug__)
print(sys.excepthook is sys.__excepthook__, sys.stdout is sys.__stdout__)
def f(): return 1
print(pickle.loads(pickle.dumps(f)) is f, f.__code__.co_filename, f.__module__)
import inspect
print(inspect.getsource(f), inspect.getfile(f), inspect.getsourcefile(f))
atexit.register(lambda: print("__file__" in globals(), threading.current_thread().name))
"""

ENDINGS = {
    "normal": "print('done')",
    "exception": "def f(x):\n    return 1 / x\n\nprint('before')\nf(0)\n",
    "chained": "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('x') from e\n",
    "context": "try:\n    {}['a']\nexcept KeyError:\n    int('b')\n",
    "group": "raise ExceptionGroup('several', [ValueError(1), TypeError(2)])",
    "custom": "class E(Exception):\n    def __str__(self):\n        return 'custom text'\nraise E\n",
    "bad str": "class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n",
    "exit 3": "import sys\nsys.exit(3)",
    "exit text": "import sys\nsys.exit('a message')",
    "exit none": "raise SystemExit",
    "exit big": "import sys\nsys.exit(2**40)",
    "exit object": "import sys\nsys.exit([1, 2])",
    "os._exit": "import os\nos._exit(5)",
    "own hook": "import sys\nsys.excepthook = lambda *a: print(a[0], a[1], a[2].tb_lineno, a[2].tb_next)\n1/0\n",
    "failing hook": "import sys\ndef hook(*a):\n    raise ValueError('in the hook')\nsys.excepthook = hook\n1/0\n",
    "hook exits": "import sys\ndef hook(*a):\n    sys.exit(7)\nsys.excepthook = hook\n1/0\n",
    "last": "import sys, atexit\natexit.register(lambda: print(sys.last_value, sys.last_traceback.tb_next))\n1/0\n",
    "thread": "import threading\nt = threading.Thread(target=lambda: 1/0, name='T')\nt.start()\nt.join()\n",
    "thread after main": "import threading as t, time\nt.Thread(target=lambda: (time.sleep(.1), print(1))).start()\n",
    "atexit after error": "import atexit\natexit.register(print, 'at exit')\nraise KeyError('k')\n",
    "generator exit": "def g():\n    try:\n        yield\n    finally:\n        print('closed')\nx = g()\nnext(x)\n",
    "unraisable": "class D:\n    def __del__(self):\n        raise ValueError('in del')\nd = D()\ndel d\n",
    "deleted hook": "import sys\ndel sys.excepthook\n1/0\n",
    "no stderr": "import sys\nsys.stderr = None\n1/0\n",
    "closed stderr": "import sys\nsys.stderr.close()\n1/0\n",
    "hook at exit": "import sys, atexit\natexit.register(lambda: print(sys.excepthook is sys.__excepthook__))\n1/0\n",
    "import error": "import nothing_of_that_name",
    "recursion": "def f():\n    return f()\nf()\n",
    "warning": "import warnings\nwarnings.warn('careful')\n",
    "syntax in eval": "eval('1 +')",
    "assertion": "assert 1 == 2, 'no'",
    "notes": "e = ValueError('x')\ne.add_note('a note')\nraise e\n",
}


def outcome(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """Addresses differ, and the launcher stands on a handful of frames of its own until the recursion limit."""
    error = re.sub(r"0x[0-9a-f]+|refcount : \d+", "...", done.stderr)
    return done.returncode, done.stdout, re.sub(r"repeated \d+ more", "repeated some more", error)


def test_situation(artifacts) -> None:
    manifest = artifacts.build({"__main__": SITUATION})
    source = os.path.join("artifact", "src", "main.py")
    assert Path(manifest.root, "src/main.py").is_file()
    assert outcome(artifacts.launch("artifact", "a", "-b")) == outcome(artifacts.python(source, "a", "-b"))


@pytest.mark.parametrize("case", ENDINGS)
def test_ending(artifacts, case: str) -> None:
    artifacts.build({"__main__": ENDINGS[case]})
    expected = artifacts.python("artifact/src/main.py")
    assert outcome(artifacts.launch()) == outcome(expected)


@pytest.mark.toolchain
@pytest.mark.parametrize("case", ["exception", "chained", "exit 3", "own hook", "import error", "notes"])
def test_ending_of_native_code(artifacts, unit_library: Callable[[], Path], case: str) -> None:
    artifacts.build({"__main__": ENDINGS[case]}, {"__main__": unit_library()})
    expected = artifacts.python("artifact/src/main.py")
    assert outcome(artifacts.launch()) == outcome(expected)


def test_error_while_importing_shows_the_program_only(artifacts) -> None:
    artifacts.build({"__main__": "import helper\n", "helper": "def f():\n    1/0\nf()\n"})
    expected = artifacts.python("artifact/src/main.py")
    assert "ZeroDivisionError" in expected.stderr
    assert outcome(artifacts.launch()) == outcome(expected)


@pytest.mark.toolchain
def test_error_while_importing_a_native_module(artifacts, unit_library: Callable[[], Path]) -> None:
    sources = {"__main__": "import helper\n", "helper": "def f():\n    1/0\nf()\n"}
    artifacts.build(sources, dict.fromkeys(sources, unit_library()))
    assert outcome(artifacts.launch()) == outcome(artifacts.python("artifact/src/main.py"))


def test_closed_output_pipe(artifacts) -> None:
    artifacts.build({"__main__": "for i in range(100000):\n    print(i)\n"})

    def head(*command: str) -> tuple[int, bytes, bytes]:
        process = subprocess.Popen(
            [artifacts.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=artifacts.environment,
            cwd=artifacts.root,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        error = process.stderr.read()
        process.stderr.close()
        return process.wait(), first, error

    assert head("-m", "ppy_runtime", "artifact") == head("artifact/src/main.py")


def interrupted(artifacts, *command: str) -> tuple[int, str, str]:
    process = subprocess.Popen(
        [artifacts.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=artifacts.environment,
        cwd=artifacts.root,
    )
    assert process.stdout is not None
    started = process.stdout.readline()
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, started + out, err


def test_interrupt_ends_by_the_signal(artifacts) -> None:
    text = "import time, atexit\natexit.register(print, 'at exit')\nprint('started', flush=True)\ntime.sleep(20)\n"
    artifacts.build({"__main__": text})
    expected = interrupted(artifacts, "artifact/src/main.py")
    assert expected[0] == -signal.SIGINT
    assert interrupted(artifacts, "-m", "ppy_runtime", "artifact") == expected


def test_spawned_processes_find_main(artifacts) -> None:
    text = (
        "import multiprocessing as mp\n"
        "def double(x):\n    return 2 * x\n"
        "if __name__ == '__main__':\n"
        "    mp.set_start_method('spawn')\n"
        "    with mp.Pool(1) as pool:\n        print(pool.map(double, [1, 2, 3]))\n"
    )
    artifacts.build({"__main__": text})
    assert outcome(artifacts.launch()) == (0, "[2, 4, 6]\n", "")


def test_interpreter_options_survive(artifacts) -> None:
    text = "import sys\nprint(sys.flags.utf8_mode, sys.flags.safe_path, sys.path[0] == __file__.rpartition('/')[0])\n"
    artifacts.build({"__main__": text})
    for options in ([], ["-P"], ["-X", "utf8"], ["-X", "dev", "-W", "error"]):
        expected = artifacts.python(*options, "artifact/src/main.py")
        for disable in ("0", "1"):
            done = artifacts.python(*options, "-m", "ppy_runtime", "artifact", PPY_DISABLE=disable)
            assert outcome(done) == outcome(expected)
