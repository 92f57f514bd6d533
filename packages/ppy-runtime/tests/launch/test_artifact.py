"""Artifacts: moved, linked, damaged, of another Python; each has its own behaviour."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ppy_runtime.launch import PrebuiltBinder, generated_modules, launcher_script
from ppy_runtime.launch.native import Refused
from ppy_runtime.manifest import load

PROGRAM = {
    "__main__": "import sys, helper\nprint(globals().get('native'), helper.how, sys.argv[1:])\n",
    "helper": "how = globals().get('native')\n",
}


def edit(manifest_folder: Path, change: Callable[[dict[str, object]], object]) -> None:
    path = manifest_folder / "ppy-manifest.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def test_native_units_run_and_imports_find_them(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    done = artifacts.launch("artifact", "a", "--b")
    assert (done.returncode, done.stdout, done.stderr) == (0, "fast __main__ fast helper ['a', '--b']\n", "")


@pytest.mark.toolchain
def test_a_shared_library_runs(artifacts, unit_library: Callable[[], Path]) -> None:
    artifacts.build(PROGRAM, dict.fromkeys(PROGRAM, unit_library()))
    assert artifacts.launch(PPY_VERBOSE="1").stdout == "__main__ helper []\n"
    assert artifacts.launch(PPY_VERBOSE="1").stderr == ""


def test_disabled(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    assert artifacts.launch(PPY_DISABLE="1").stdout == "None None []\n"


def test_modules_of_the_current_folder_are_not_the_librarys(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    for name in ("json", "ctypes", "marshal"):
        (artifacts.root / f"{name}.py").write_text("raise SystemExit('not the library')\n")
    assert artifacts.launch().stdout == "fast __main__ fast helper []\n"


def test_works_after_being_moved(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    target = artifacts.root / "other place" / "näme with spaces"
    target.parent.mkdir()
    shutil.move(artifacts.root / "artifact", target)
    done = artifacts.launch(str(target))
    assert (done.stdout, done.stderr) == ("fast __main__ fast helper []\n", "")
    done = artifacts.python("-m", "ppy_runtime", ".", PYTHONPATH=artifacts.environment["PYTHONPATH"])
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("refuse", "its library does not fit this interpreter"),
        ("broken", "the loader of format 'pretend' failed: not a library"),
    ],
)
def test_a_unit_that_refuses_runs_from_source(artifacts, said: str, note: str) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": said})
    done = artifacts.launch()
    assert (done.returncode, done.stdout) == (0, "fast __main__ None []\n")
    assert done.stderr == f"ppy: warning: helper runs from source: {note}\n"


def missing(folder: Path) -> None:
    (folder / "lib" / "helper.so").unlink()


def altered(folder: Path) -> None:
    (folder / "lib" / "helper.so").write_text("slow")


def truncated(folder: Path) -> None:
    (folder / "lib" / "helper.so").write_text("quic")


def unknown_format(folder: Path) -> None:
    edit(folder, lambda data: data["units"][1]["library"].update(format="nobodys"))  # type: ignore[index]


def another_processor(folder: Path) -> None:
    edit(folder, lambda data: data["target"].update(features=["sse9"]))  # type: ignore[attr-defined]


def optimised(folder: Path) -> None:
    edit(folder, lambda data: data["python"].update(optimize=1))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("damage", "note"),
    [
        (missing, "lib/helper.so' cannot be read: No such file or directory"),
        (altered, "lib/helper.so' was altered after the build"),
        (truncated, "lib/helper.so' was altered after the build"),
        (unknown_format, "nothing installed here loads a library of format 'nobodys'"),
        (optimised, "it was built for optimisation level 1"),
        (another_processor, "it was built for another processor: this one lacks sse9"),
    ],
)
def test_a_library_that_does_not_fit_costs_speed_only(artifacts, damage: Callable[[Path], None], note: str) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "quick"})
    damage(artifacts.root / "artifact")
    done = artifacts.launch()
    assert done.returncode == 0
    assert done.stdout in ("fast __main__ None []\n", "None None []\n")
    (line,) = done.stderr.splitlines()  # once, although it may be true of both modules
    assert line.startswith("ppy: warning: ")
    assert line.endswith(note)


SUBINTERPRETER = """
import sys
code = f"import sys; sys.path[:] = {sys.path!r}; from ppy_runtime.launch import native as n; "
code += "print(n.interpreter_refusal(), flush=True)"
if sys.version_info >= (3, 13):
    import _interpreters
    _interpreters.exec(_interpreters.create(), code)
else:
    import _xxsubinterpreters
    _xxsubinterpreters.run_string(_xxsubinterpreters.create(), code)
from ppy_runtime.launch.native import interpreter_refusal
print(interpreter_refusal())
"""


def test_subinterpreters_run_the_source(artifacts) -> None:
    done = artifacts.python("-c", SUBINTERPRETER)
    assert done.returncode == 0, done.stderr
    there, here = done.stdout.splitlines()
    assert there == "subinterpreters run the source" or there.startswith("native code needs ctypes: ")
    assert here == "None"


def test_no_compiled_code_runs_the_source(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    shutil.rmtree(artifacts.root / "artifact" / "code")
    done = artifacts.launch(PPY_VERBOSE="1")
    assert done.stdout == "None None []\n"
    assert "its compiled code is missing or altered" in done.stderr


@pytest.mark.toolchain
def test_a_library_that_is_no_library(artifacts, tmp_path: Path) -> None:
    (tmp_path / "not.so").write_bytes(b"\x7fELF and then nothing")
    artifacts.build(PROGRAM, {"helper": tmp_path / "not.so"})
    done = artifacts.launch(PPY_VERBOSE="1")
    assert (done.returncode, done.stdout) == (0, "None None []\n")
    assert "cannot be loaded" in done.stderr


def test_altered_source_is_another_program(artifacts) -> None:
    artifacts.build(PROGRAM)
    (artifacts.root / "artifact" / "src" / "helper.py").write_text("how = 'edited'\n")
    done = artifacts.launch()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error[E1801]: the artifact in `artifact` cannot be used: 'src/helper.py' was altered after the build\n"
        "  help: build it again with `ppy build`\n"
    )


def another_python(data: dict[str, object]) -> None:
    data["python"]["version"] = "3.4"  # type: ignore[index]


def another_machine(data: dict[str, object]) -> None:
    data["target"]["triple"] = "riscv64-unknown-linux-gnu"  # type: ignore[index]


def another_abi(data: dict[str, object]) -> None:
    data["abi"] = 99


def outside(data: dict[str, object]) -> None:
    data["units"][0]["source"]["file"] = "../../somewhere.py"  # type: ignore[index]


@pytest.mark.parametrize("change", [another_python, another_machine, another_abi, outside])
def test_an_artifact_that_cannot_run_says_why(artifacts, change: Callable[[dict[str, object]], None]) -> None:
    artifacts.build(PROGRAM)
    edit(artifacts.root / "artifact", change)
    done = artifacts.launch()
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert first.startswith("error[E1801]: the artifact in `artifact` cannot be used: ")
    assert second.startswith("  help: ")


@pytest.mark.parametrize("folder", ["nowhere", "."])
def test_no_artifact(artifacts, folder: str) -> None:
    done = artifacts.launch(folder)
    assert done.returncode == 2
    assert "ppy-manifest.json cannot be read" in done.stderr


def test_usage(artifacts) -> None:
    assert artifacts.python("-m", "ppy_runtime").returncode == 2
    done = artifacts.python("-m", "ppy_runtime", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: python -m ppy_runtime DIR")


def launcher(artifacts, python: str | None = None) -> Path:
    path: Path = artifacts.root / "artifact" / "program"
    path.write_bytes(launcher_script(python or artifacts.executable, "{}.{}".format(*sys.version_info)))
    path.chmod(0o755)
    return path


def run_script(artifacts, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=artifacts.environment | environment,
        cwd=artifacts.root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_launcher(artifacts) -> None:
    artifacts.build(PROGRAM, {"__main__": "fast", "helper": "fast"})
    script = launcher(artifacts)
    expected = "fast __main__ fast helper ['a b', '*', '']\n"
    assert run_script(artifacts, str(script), "a b", "*", "").stdout == expected
    (artifacts.root / "bin").mkdir()
    (artifacts.root / "bin" / "one").symlink_to("../artifact/program")
    (artifacts.root / "bin" / "two").symlink_to(artifacts.root / "bin" / "one")
    assert run_script(artifacts, str(artifacts.root / "bin" / "two"), "a b", "*", "").stdout == expected
    assert run_script(artifacts, "bin/one", "a b", "*", "").stdout == expected
    moved = artifacts.root / "moved away"
    os.rename(artifacts.root / "artifact", moved)
    assert run_script(artifacts, "moved away/program", "a b", "*", "").stdout == expected
    assert run_script(artifacts, "sh", "program", cwd=str(moved)).returncode != 0


def test_launcher_passes_the_exit_status_on(artifacts) -> None:
    artifacts.build({"__main__": "import sys\nsys.exit(9)\n"})
    assert run_script(artifacts, str(launcher(artifacts))).returncode == 9


def test_launcher_looks_for_an_interpreter(artifacts) -> None:
    artifacts.build({"__main__": "import sys\nprint('ran')\n"})
    gone = launcher(artifacts, "/no such/python")
    found = run_script(artifacts, str(gone), PPY_PYTHON=artifacts.executable)
    assert found.stdout == "ran\n"
    nothing = run_script(artifacts, "/bin/sh", str(gone), PATH="/nonexistent")
    assert nothing.returncode == 2
    assert "there is no python\n  help: set PPY_PYTHON" in nothing.stderr
    asked = run_script(artifacts, str(launcher(artifacts)), PPY_PYTHON="/no such/python")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "there is no /no such/python\n  help: set PPY_PYTHON" in asked.stderr


def test_an_interpreter_without_the_runtime(artifacts) -> None:
    artifacts.build({"__main__": "print('ran')\n"})
    done = run_script(artifacts, str(launcher(artifacts)), PYTHONPATH="")
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert first.startswith(f"error[E1801]: the artifact in `{artifacts.root}/artifact` cannot be used: ")
    assert first.endswith(" has no ppy-runtime")
    assert second.startswith("  help: install ppy-runtime there, or set PPY_PYTHON to a Python 3.")


def test_the_launcher_takes_no_module_of_the_current_folder(artifacts) -> None:
    artifacts.build({"__main__": "print('ran')\n"})
    for name in ("ppy_runtime", "json", "os"):
        (artifacts.root / f"{name}.py").write_text("raise SystemExit('not the library')\n")
    assert run_script(artifacts, str(launcher(artifacts))).stdout == "ran\n"


def test_generated_modules(artifacts) -> None:
    manifest = artifacts.build(PROGRAM)
    found = dict(generated_modules(load(manifest.root)))
    assert sorted(found) == ["__main__", "helper"]
    assert found["helper"].co_filename == os.path.join(manifest.root, "src", "helper.py")
    (Path(manifest.root) / "code" / "helper.marshal").write_bytes(b"damaged")
    assert [name for name, _ in generated_modules(manifest)] == ["__main__"]


def test_binder_says_why_it_serves_nothing(artifacts) -> None:
    binder = PrebuiltBinder(artifacts.build(PROGRAM))
    with pytest.raises(Refused, match="nothing in it was compiled"):
        binder.unit("helper")
    with pytest.raises(Refused, match="no unit 'nobody'"):
        binder.unit("nobody")


@pytest.mark.toolchain
def test_binder_with_one_library_for_all(artifacts, unit_library: Callable[[], Path]) -> None:
    manifest = artifacts.build(PROGRAM, dict.fromkeys(PROGRAM, unit_library()))
    shutil.copy(unit_library(), Path(manifest.root) / "all.so")
    for name in PROGRAM:
        (Path(manifest.root) / "lib" / f"{name}.so").unlink()
    binder = PrebuiltBinder(manifest, "all.so")
    namespace: dict[str, object] = {"__builtins__": __builtins__}
    binder.unit("helper")(namespace, compile("x = 6 * 7", "f", "exec"), "helper")
    assert (namespace["x"], namespace["native"]) == (42, "helper")
    assert binder.unit("helper")({"refuse": 1}, compile("", "f", "exec"), "helper") is NotImplemented
