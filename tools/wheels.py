"""Fill `dist/` with wheels, then prove that an artifact needs no compiler.

    python tools/wheels.py [PROGRAM]

Guarantees: every distribution builds; `pip install --no-index --find-links dist ppy` works offline on each Python;
a program built in that environment runs in another one that has only `ppy-runtime`, after its folder has moved.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from workspace import PYTHONS, ROOT, distributions

DIST = ROOT / "dist"
PROGRAM = ROOT / "examples" / "01_collatz" / "main.py"


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """What the command printed; it has to succeed."""
    print("$", *command, flush=True)
    environ = {**os.environ, **variables}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environ, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nstatus {done.returncode}")
    return done.stdout


def environment(folder: Path) -> Path:
    """The interpreter of a new virtual environment with pip in it."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin" / "python"


def fill_dist(python: Path) -> None:
    """Wheels of all distributions, and of what they depend on for every supported Python."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--wheel-dir", DIST, *(f"./{path}" for path in distributions()))
    for version in PYTHONS:
        target = ["--python-version", version, "--only-binary=:all:", "--no-deps"]
        run(python, "-m", "pip", "download", "--quiet", "--dest", DIST, *target, "llvmlite>=0.50")


def install_offline(python: Path, *names: str) -> None:
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", DIST, *names)


def main(argv: list[str]) -> int:
    program = Path(argv[0]).resolve() if argv else PROGRAM
    with tempfile.TemporaryDirectory(prefix="ppy wheels ") as scratch:
        work = Path(scratch)
        builder = environment(work / "builder")
        fill_dist(builder)
        install_offline(builder, "ppy")
        run(builder.parent / "ppy", "build", program, "-o", work / "artifact", cwd=work)
        shutil.copytree(work / "artifact", work / "moved", symlinks=True)
        shutil.rmtree(work / "artifact")
        shutil.rmtree(work / "builder")
        target = environment(work / "target")
        install_offline(target, "ppy-runtime")
        run(target, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('ppy_compiler') is not None)")
        wanted = run(target, program, cwd=work)
        for launch in ([target, "-m", "ppy_runtime", work / "moved"], [work / "moved" / program.stem]):
            if run(*launch, cwd=work, PPY_PYTHON=str(target)) != wanted:
                sys.exit(f"{launch} does not print what Python prints")
    print(f"{len(list(DIST.glob('*.whl')))} wheels in dist/; the artifact of {program.name} runs without the compiler")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
