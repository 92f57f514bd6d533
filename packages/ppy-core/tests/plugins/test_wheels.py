"""Third parties' whole road: a plugin and a backend built as wheels, installed into an environment of their own beside
PPY, found there, run there, and held there to the conformance kits by their own tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

THIRD_PARTY = Path(__file__).parents[1] / "third_party"
TIMEOUT = 300


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PPY_", "PYTHONPATH"))}
    environment = {**kept, "PPY_CACHE_DIR": str(cwd / "cache"), "PPY_STRICT_INTERNAL": "1"}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == status, f"{words}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has both wheels, and PPY and pytest through the folders they are imported from here."""
    folder = tmp_path_factory.mktemp("third party")
    for name in ("tiny-plugin", "tiny-backend"):
        shutil.copytree(THIRD_PARTY / name, folder / name)
        build = ["-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"]
        run(sys.executable, *build, cwd=folder / name)
    venv.create(folder / "environment", symlinks=True, with_pip=True)
    python = folder / "environment" / "bin" / "python"
    wheels = sorted((folder / "dist").glob("*.whl"))
    assert [wheel.name.partition("-")[0] for wheel in wheels] == ["tiny_backend", "tiny_plugin"]
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *wheels, cwd=folder)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    here = [path for path in sys.path if path.endswith("src")]
    (site / "here.pth").write_text("\n".join([*here, sysconfig.get_path("purelib")]) + "\n", encoding="utf-8")
    return folder


def ppy(folder: Path, *words: str, status: int = 0) -> str:
    return run(folder / "environment" / "bin" / "python", "-m", "ppy_compiler", *words, cwd=folder, status=status)


def test_they_are_found(environment: Path) -> None:
    report = json.loads(ppy(environment, "doctor", "--json", "--backend", "tiny"))
    found = {entry["name"]: entry["text"] for section in ("backends", "plugins") for entry in report[section]}
    assert "(tiny-plugin 1.0)" in found["tiny"]
    assert any(text.endswith("(tiny-backend 1.0)") for text in (entry["text"] for entry in report["backends"]))


def test_they_are_used(environment: Path) -> None:
    (environment / "pyproject.toml").write_text("[tool.ppy.plugins.tiny]\nenabled = true\n")
    (environment / "main.py").write_text("import tinylib\n\nprint(tinylib.root(9.0))\n")
    assert ppy(environment, "run", "--backend", "tiny", "main.py") == "3.0\n"
    assert ppy(environment, "emit", "--backend", "tiny", "--stage", "listing", "main.py").startswith("; __main__")
    assert "%seen_by_tiny = py." in ppy(environment, "emit", "main.py")


def test_they_pass_their_kits(environment: Path) -> None:
    python = environment / "environment" / "bin" / "python"
    for name in ("tiny-plugin", "tiny-backend"):
        folder = environment / name
        shown = run(
            python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder / "tests", cwd=folder
        )
        assert " passed" in shown
        assert "failed" not in shown
