"""Work on a clone of PPY without thinking about environments.

    python3 tools/dev.py run FILE [ARGUMENT …]      run a program natively (`ppy run`)
    python3 tools/dev.py test [PYTEST OPTION …]     run the tests
    python3 tools/dev.py ppy [ARGUMENT …]           any other command of PPY
    python3 tools/dev.py setup                      only prepare the environment

The environment is the active virtual environment if there is one, otherwise `.venv` in the clone, made on first use.
All distributions are installed in place, so edits take effect at once; uv does it where it is installed, pip elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SUPPORTED = ((3, 11), (3, 14))  # from, below
ROOT = Path(__file__).resolve().parents[1]


def main(argv: list[str]) -> int:
    if not SUPPORTED[0] <= sys.version_info < SUPPORTED[1]:
        return with_another_python(argv)
    commands = {
        "run": ["-m", "ppy_compiler", "run"],
        "ppy": ["-m", "ppy_compiler"],
        "test": ["-m", "pytest"],
        "setup": ["-c", "pass"],
    }
    if not argv or argv[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    python = environment()
    folder = ROOT if argv[0] == "test" else None
    return subprocess.run([str(python), *commands[argv[0]], *argv[1:]], cwd=folder).returncode


def with_another_python(argv: list[str]) -> int:
    """This Python is too old or too new: hand over to one that is not."""
    for name in ("python3.13", "python3.12", "python3.11"):
        if (python := shutil.which(name)) and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return subprocess.run([python, __file__, *argv]).returncode
    print("PPY needs Python 3.11, 3.12 or 3.13 on the PATH", file=sys.stderr)
    return 2


def environment() -> Path:
    """The interpreter of a prepared environment."""
    from workspace import dependency_group, editable_arguments, stamp

    prefix = Path(sys.prefix) if sys.prefix != sys.base_prefix else ROOT / ".venv"
    python = prefix / "bin" / "python"
    wanted = [*editable_arguments(), *dependency_group("test")]
    mark = prefix / ".ppy-dev"
    if mark.is_file() and python.is_file() and mark.read_text(encoding="utf-8") == stamp(*wanted):
        return python
    print(f"preparing {prefix} (once) …", file=sys.stderr)
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True)
    subprocess.run([*installer(python), *wanted], cwd=ROOT, check=True, stdout=sys.stderr)
    mark.write_text(stamp(*wanted), encoding="utf-8")
    return python


def installer(python: Path) -> list[str]:
    if uv := shutil.which("uv"):
        find_links = [f"--find-links={place}" for place in os.environ.get("PIP_FIND_LINKS", "").split()]
        return [uv, "pip", "install", "--quiet", f"--python={python}", *find_links]
    if subprocess.run([str(python), "-m", "pip", "--version"], capture_output=True).returncode != 0:
        subprocess.run([str(python), "-m", "ensurepip", "--default-pip"], check=True, stdout=sys.stderr)
    return [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        print(f"this failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit(130)
