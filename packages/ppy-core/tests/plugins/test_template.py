"""A stranger's road: everything that `docs/plugins.md` says, literally, in an environment of its own without a network;
and the template of backends, built, installed and held to its kit in the same way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "docs" / "plugins.md"
FENCE = re.compile(r"^```(\w+)([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMEOUT = 300
pytestmark = pytest.mark.llvm


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment that has PPY, pytest and hatchling through the folders they are imported from."""
    folder = tmp_path_factory.mktemp("stranger")
    venv.create(folder / "environment", symlinks=True, with_pip=True)
    commands = folder / "environment" / "bin"
    site = shell(folder, "python -c \"import sysconfig; print(sysconfig.get_path('purelib'))\"").strip()
    here = [path for path in sys.path if path.endswith("src")]
    Path(site, "here.pth").write_text("\n".join([*here, sysconfig.get_path("purelib")]) + "\n", encoding="utf-8")
    for name, module in (("ppy", "ppy_compiler"), ("pytest", "pytest")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{commands / "python"}" -m {module} "$@"\n', encoding="utf-8")
        (commands / name).chmod(0o755)
    return folder


def shell(folder: Path, command: str) -> str:
    """What the command printed; it has to succeed."""
    dropped = ("PPY_", "PYTHONPATH", "PYTEST_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    environ = {**kept, "PATH": f"{folder / 'environment' / 'bin'}{os.pathsep}{kept['PATH']}", "NO_COLOR": "1"}
    environ |= {"PPY_CACHE_DIR": str(folder / "cache"), "PPY_STRICT_INTERNAL": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environ, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


def offline(command: str) -> str:
    """The command as it is said where there is no network, and where PPY is not installed from an index."""
    return command.replace("pip install", "python -m pip install --quiet --no-index --no-deps --no-build-isolation")


def test_the_page(environment: Path) -> None:
    exported = ""
    ran = 0
    for language, info, text in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        options = dict(word.partition("=")[::2] for word in info.split())
        if "file" in options:
            (environment / options["file"]).write_text(text, encoding="utf-8")
        elif language == "console":
            for part in text.split("$ ")[1:]:
                command, _, expected = part.partition("\n")
                printed = shell(environment, exported + offline(command))
                pattern = ".*?".join(map(re.escape, expected.strip().split("...")))
                assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"{command!r} printed\n{printed}"
                exported += f"{command}\n" if command.startswith("export ") else ""
                ran += 1
    assert ran == 7


def test_a_backend(environment: Path) -> None:
    shell(environment, "ppy init --backend gen")
    shell(environment, offline("pip install ./ppy-backend-gen"))
    assert " passed" in shell(environment, "pytest -q -p no:cacheprovider ppy-backend-gen")
    assert "ready (ppy-backend-gen 0.1.0)" in shell(environment, "ppy doctor --backend gen")
