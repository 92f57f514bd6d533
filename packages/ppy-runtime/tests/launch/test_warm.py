"""The warm path finds a cached program, runs it and imports next to nothing for that."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from ppy_runtime.manifest import Manifest, open_cache, ticket_key, write_ticket
from ppy_runtime.manifest.document import MANIFEST_NAME
from ppy_runtime.manifest.store import encode

WARM = """
import sys
from ppy_runtime.launch import run_cached
sys.exit(0 if run_cached(sys.argv[1], sys.argv[2:], {}) else 44)
"""


def cached_program(artifacts, monkeypatch: pytest.MonkeyPatch, text: str, said: str | None = "fast") -> Path:
    """A source file, a program in the cache for it, and the ticket a build would have left."""
    folder: Path = artifacts.root
    (folder / "site-packages").mkdir(exist_ok=True)
    manifest = artifacts.build({"__main__": text}, {"__main__": said} if said else None, folder="store")
    source = folder / "main.ppy"
    source.write_text(text)
    manifest.document["units"][0]["source"]["file"] = "../main.ppy"
    Path(manifest.root, MANIFEST_NAME).write_bytes(encode(manifest.document))
    for name, value in artifacts.environment.items():
        monkeypatch.setenv(name, value)
    for name in [name for name in os.environ if name.startswith("PPY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr("ppy_runtime.manifest.ticket.installation_folders", lambda: real_folders(artifacts))
    cache = open_cache(str(folder), str(folder / "cache"))
    key = ticket_key(str(source), {})
    assert write_ticket(
        cache, key, Manifest(manifest.document, manifest.root), inputs=[str(source)], trees=[], now_ns=time.time_ns()
    )
    artifacts.environment["PPY_CACHE_DIR"] = str(folder / "cache")
    return source


def real_folders(artifacts) -> list[tuple[str, int]]:
    """What the launched interpreter will see as its installation folders."""
    code = "from ppy_runtime.manifest.ticket import installation_folders as f; print(f())"
    found: list[tuple[str, int]] = eval(artifacts.python("-c", code).stdout)
    return found


def test_hit_and_miss(artifacts, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import sys\nprint(native, sys.argv, __file__)\n"
    source = cached_program(artifacts, monkeypatch, text)
    done = artifacts.python("-c", WARM, "main.ppy", "x")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"fast __main__ ['main.ppy', 'x'] {source}\n"
    source.write_text(text + "#\n")
    done = artifacts.python("-c", WARM, "main.ppy", "x")
    assert (done.returncode, done.stdout, done.stderr) == (44, "", "")
    done = artifacts.python("-c", WARM, "never seen.py")
    assert (done.returncode, done.stdout, done.stderr) == (44, "", "")


def test_disabled_is_python_itself(artifacts, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_program(artifacts, monkeypatch, "import sys\nprint(globals().get('native'), sys.argv)\n")
    done = artifacts.python("-c", WARM, "main.ppy", "x", PPY_DISABLE="1")
    assert (done.returncode, done.stdout) == (0, "None ['main.ppy', 'x']\n")


def test_only_what_it_needs_is_imported(artifacts, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_program(artifacts, monkeypatch, "import sys\nprint(sorted(sys.modules))\n", said=None)
    done = artifacts.python("-c", WARM, "main.ppy")
    loaded = set(eval(done.stdout)) - set(eval(artifacts.python("-c", "import sys; print(sorted(sys.modules))").stdout))
    assert {name for name in loaded if not name.startswith("ppy_runtime")} <= {
        "__future__",
        "marshal",
        "_sha2",
        "_sha256",
    }
    assert not {"ppy_runtime.manifest.store", "ppy_runtime.manifest.schema", "ppy_runtime.abi.signature"} & loaded


def test_a_miss_imports_no_heavy_module(artifacts) -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from ppy_runtime.launch import run_cached\n"
        "assert not run_cached('nothing.py', [], {})\n"
        "print(sorted(set(sys.modules) - before))"
    )
    done = artifacts.python("-S", "-c", code)
    loaded = set(eval(done.stdout))
    assert not {"json", "dataclasses", "typing", "inspect", "hashlib", "ctypes", "re"} & loaded
