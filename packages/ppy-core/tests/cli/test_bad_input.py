"""Bad input of every kind: each has its own behaviour, and none of them is a traceback of ours."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest


def same_as_python(ppy: Any, *words: str, stdin: bytes = b"") -> Any:
    """Run `words` under `ppy run`, cold and warm, and under `python`: output, errors and status must be the same."""
    wanted = ppy.python(*words, stdin=stdin)
    for _ in range(2):
        found = ppy("run", *words, stdin=stdin)
        assert (found.status, found.out, without_loader(found.err)) == (wanted.status, wanted.out, wanted.err)
    return wanted


def without_loader(text: str) -> str:
    """A traceback without the frame of the tiny backend's loader, which is Python where ours is native."""
    return re.sub(r'  File "[^"]*tiny_backend/loader.py", line .*\n(?:    .*\n)*', "", text)


# Files that are no program


def test_syntax_error(tiny: Any) -> None:
    tiny.write("main.py", "def f(:\n    return 1\n")
    assert "SyntaxError" in same_as_python(tiny, "main.py").err
    done = tiny("build", "main.py", "-o", "out")
    assert (done.status, done.out) == (1, "")
    assert "SyntaxError: invalid syntax" in done.err
    done = tiny("check", "--output-format", "concise", "main.py")
    assert done.status == 1
    assert done.out == "main.py:1:7: E0101 invalid syntax\n"


def test_syntax_error_in_an_imported_module(tiny: Any) -> None:
    tiny.write("main.py", "try:\n    import broken\nexcept SyntaxError as e:\n    print('caught', e.msg)\n")
    tiny.write("broken.py", "def f(:\n")
    assert same_as_python(tiny, "main.py").out == "caught invalid syntax\n"


def test_an_expression_too_deep_for_cpython(tiny: Any) -> None:
    """CPython's parser gives up on it (before 3.12 its compiler): the program's error, not ours."""
    tiny.write("main.py", "x = " + "-" * 100_000 + "1\n")
    assert same_as_python(tiny, "main.py").status == 1
    done = tiny("check", "--output-format", "concise", "main.py")
    assert done.status == 1
    assert "E0101" in done.out


def test_null_bytes(tiny: Any) -> None:
    tiny.write("main.py", b"print(1)\0\n")
    same_as_python(tiny, "main.py")
    assert "E0101" in tiny("check", "--output-format", "concise", "main.py").out


def test_unreadable_file(ppy: Any, tmp_path: Path) -> None:
    for command in (["run"], ["check"], ["build", "-o", "out"], ["emit"]):
        done = ppy(*command, "absent.py")
        assert done.status == 2
        text = done.out if command == ["check"] else done.err
        assert "E0103" in text
        assert "cannot read `absent.py`: No such file or directory" in text
        assert "Traceback" not in done.err


def test_a_folder(ppy: Any) -> None:
    ppy.write("app/__main__.py", "print('main of a folder')\n")
    ppy.write("empty/readme", "")
    assert same_as_python(ppy, "app").out == "main of a folder\n"
    assert "can't find '__main__' module" in same_as_python(ppy, "empty").err


def test_standard_input(ppy: Any) -> None:
    assert same_as_python(ppy, "-", "x", stdin=b"import sys; print(sys.argv)").out == "['-', 'x']\n"


# Encodings and names


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("# coding: latin-1\nprint('naïve')\n".encode("latin-1"), "naïve\n"),
        ("\ufeffprint('bom ☃')\n".encode(), "bom ☃\n"),
        (b"print('crlf')\r\nprint(2)\r\n", "crlf\n2\n"),
        (b"print('old mac')\rprint(2)\r", "old mac\n2\n"),
    ],
)
def test_encodings(tiny: Any, content: bytes, text: str) -> None:
    tiny.write("main.py", content)
    assert same_as_python(tiny, "main.py").out == text


@pytest.mark.parametrize(
    "content", [b"print('\xff')\n", b"# coding: no-such-codec\nprint(1)\n", b"\xef\xbb\xbf# coding: latin-1\n"]
)
def test_a_wrong_encoding(tiny: Any, content: bytes) -> None:
    tiny.write("main.py", content)
    assert same_as_python(tiny, "main.py").status == 1
    done = tiny("check", "--output-format", "concise", "main.py")
    assert (done.status, "E0102" in done.out) == (1, True)


@pytest.mark.parametrize("name", ["with space.py", "ünïcödé ☃.py", "-dash.py", "sub dir/a'b\".py"])
def test_names(tiny: Any, name: str) -> None:
    tiny.write(name, "import sys\nprint(sys.argv, __file__)\ndef f():\n    raise KeyError(1)\nf()\n")
    words = [f"./{name}", "x y"] if name.startswith("-") else [name, "x y"]
    assert "KeyError" in same_as_python(tiny, *words).err


# Streams and signals


def test_a_closed_output_pipe(ppy: Any) -> None:
    """`ppy … | head -1`: quiet, with the status of a command that the pipe killed."""
    ppy.write("long.py", "".join(f"def f{i}(x): return x + {i}\n" for i in range(3000)))
    process = ppy.start("emit", "long.py")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141


def test_a_closed_output_pipe_of_a_program(tiny: Any) -> None:
    tiny.write("main.py", "for i in range(100000):\n    print(i)\n")
    ended = []
    for words in (["main.py"], ["-m", "ppy_compiler", "run", "main.py"], ["-m", "ppy_compiler", "run", "main.py"]):
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=tiny.folder,
            env=tiny.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        ended.append((process.stderr.read().decode().splitlines()[-1], process.wait(60)))
    assert ended[1] == ended[2] == ended[0]


def test_standard_error_may_be_closed(tiny: Any) -> None:
    tiny.write("main.py", "print(1)\n")
    tiny.write("bad.py", "def f(:\n")
    command = f"'{sys.executable}' -m ppy_compiler"
    script = f"exec 2>&-; {command} run main.py && {command} build bad.py -o x"
    done = subprocess.run(
        ["sh", "-c", script], cwd=tiny.folder, env=tiny.environment, stdout=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"1\n")


def test_interrupting_the_program(tiny: Any) -> None:
    tiny.write("main.py", "import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    ended = []
    for words in (["main.py"], ["-m", "ppy_compiler", "run", "main.py"]):
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=tiny.folder,
            env=tiny.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.3)  # until the next statement sleeps
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        ended.append((process.returncode, without_loader(err.decode())))
    assert ended[0] == ended[1]
    assert ended[0][0] == -signal.SIGINT


@pytest.mark.llvm
def test_interrupting_a_build(ppy: Any, tmp_path: Path) -> None:
    """The process dies by the signal, without a word, and leaves nothing half done."""
    ppy.write("main.py", "".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(15000)) + "print(f7(1))\n")
    for command in (["run", "main.py"], ["build", "main.py", "-o", "out"], ["check", "main.py"]):
        process = ppy.start(*command)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (-signal.SIGINT, b"", b"")
    assert not (ppy.folder / "out").exists()
    assert not list((tmp_path / "cache").rglob("*.tmp"))


def test_what_is_no_plain_file(tiny: Any) -> None:
    """A pipe can be read once only; the empty name means the current folder."""
    assert same_as_python(tiny, "/dev/stdin", stdin=b"print(5)\n").out == "5\n"
    assert "can't find '__main__' module" in same_as_python(tiny, "").err


# Modules and configuration


def test_a_missing_module(tiny: Any) -> None:
    tiny.write("main.py", "import no_such_module\n")
    assert "ModuleNotFoundError" in same_as_python(tiny, "main.py").err


def test_an_unknown_key_in_the_configuration(tiny: Any) -> None:
    tiny.write("main.py", "print(1)\n")
    tiny.write("pyproject.toml", "[tool.ppy]\nstirct = true\n")
    for command in (["run"], ["build", "-o", "out"], ["emit"], ["config"]):
        done = tiny(*command, "main.py")
        assert (done.status, done.out) == (2, "")
        assert "E2001" in done.err
        assert "pyproject.toml:2:1" in done.err
        assert "did you mean 'strict'?" in done.err


def test_an_option_with_a_bad_value(tiny: Any) -> None:
    tiny.write("main.py", "print(1)\n")
    done = tiny("run", "-O", "fast", "main.py")
    assert (done.status, done.out) == (2, "")
    assert "`--opt-level` must be an integer from 0 to 3, got `fast`" in done.err


def test_unknown_options_and_commands(ppy: Any) -> None:
    for words in (["run", "--fast", "main.py"], ["frobnicate"], [], ["check", "--output-format", "xml"]):
        done = ppy(*words)
        assert (done.status, done.out) == (2, "")
        assert "usage: ppy" in done.err
    assert ppy("--help").status == 0
    assert ppy("run", "--help").out.startswith("usage: ppy run")


# Artifacts


def test_unwritable_output(tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.write("main.py", "print(1)\n")
    (tiny.folder / "taken").write_text("a file")
    monkeypatch.setitem(tiny.environment, "TINY_FORMAT", "shared")
    for place in ("taken", "taken/below", "/proc/artifact"):
        done = tiny("build", "main.py", "-o", place)
        assert done.status == 2
        assert "E1802" in done.err
    assert (tiny.folder / "taken").read_text() == "a file"


def test_unusable_artifact(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another Python, of another machine, damaged, with altered sources: one error that says so, and the remedy."""
    tiny.write("main.py", "print('artifact')\n")
    monkeypatch.setitem(tiny.environment, "TINY_FORMAT", "shared")
    assert tiny("build", "main.py", "-o", "out").status == 0
    manifest = tiny.folder / "out" / "ppy-manifest.json"
    good = manifest.read_text()
    damages = {
        "python": ("cache_tag", "cpython-399"),
        "target": ("triple", "riscv64-unknown-linux-gnu"),
    }
    for table, (key, value) in damages.items():
        document = json.loads(good)
        document[table][key] = value
        manifest.write_text(json.dumps(document))
        done = tiny("run", "out")
        assert (done.status, done.out) == (2, "")
        assert "E1801" in done.err
        assert "Traceback" not in done.err
    for text in ("", "{", "[]", good[: len(good) // 2], good.replace('"format": 1', '"format": 99')):
        manifest.write_text(text)
        done = tiny("run", "out")
        assert (done.status, done.out, "E1801" in done.err) == (2, "", True)
    manifest.write_text(good)
    (tiny.folder / "out" / "ppy-files" / "src" / "main.py").write_text("print('other')\n")
    assert "altered after the build" in tiny("run", "out").err


# Faults of our own


def test_internal_error(tiny: Any, tmp_path: Path) -> None:
    tiny.write("main.py", "def explode():\n    return 1\nprint(explode())\n")
    done = tiny("run", "main.py")
    assert (done.status, done.out) == (3, "")
    assert "E3001" in done.err
    report = Path(re.search(r"`(\S+ppy-report-\w+\.txt)`", done.err)[1])  # type: ignore[index]
    text = report.read_text()
    assert "RuntimeError: the tiny backend exploded" in text
    assert "return 1" not in text.replace('raise RuntimeError("the tiny backend exploded")', "")


def test_internal_error_in_everyday_use(tiny: Any) -> None:
    """The program runs all the same, after one line that names the report; an imported module alike."""
    tiny.environment.pop("PPY_STRICT_INTERNAL")
    tiny.write("main.py", "def explode():\n    return 1\nprint(explode())\n")
    tiny.write("other.py", "import main\n")
    for name in ("main.py", "other.py"):
        done = tiny("run", name)
        assert (done.status, done.out) == (0, "1\n")
        assert re.fullmatch(r"ppy: error\[E3001\]: .*the tiny backend exploded.*ppy-report-\w+\.txt.*\n", done.err)
    done = tiny("build", "main.py", "-o", "out")
    assert (done.status, done.out) == (3, "")


def test_invalid_ir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from ppy_compiler.cli.main import main
    from ppy_compiler.frontend import module as frontend

    build = frontend.build_module

    def broken(*arguments: Any) -> Any:
        made = build(*arguments)
        made.body.entry.ops[0].regions[0].blocks[0].ops.pop()
        return made

    monkeypatch.setattr(frontend, "build_module", broken)
    monkeypatch.setenv("PPY_VERIFY", "1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "main.py").write_text("x = 1\n")
    assert main(["emit", str(tmp_path / "main.py")]) == 3
    error = capsys.readouterr().err
    assert "E3002" in error
    assert "the IR is invalid after building the IR" in error
