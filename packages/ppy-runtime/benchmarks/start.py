"""What start-up costs over `python -c pass`: `import ppy`, and a warm run of a trivial program.

    python benchmarks/start.py [--repeat 21]

Run it by each Python to be measured, with ppy-runtime importable. Prints medians and differences in milliseconds beside
the bars: 5 ms for the import, 30 ms for the warm run (of which the `ppy` script's own start is the rest). Takes turns,
so that a busy machine is equally unfair to each.
"""

from __future__ import annotations

import argparse
import marshal
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ppy_runtime.manifest import Manifest, host_triple, open_cache, sha256_of, this_python, ticket_key, write_ticket
from ppy_runtime.manifest.store import write

WARM = "import sys; from ppy_runtime.launch.warm import run_cached; sys.exit(not run_cached(sys.argv[1], [], {}))"


def leave_program(folder: Path) -> Path:
    """A trivial program, and the ticket that a build of it would have left."""
    source = folder / "main.py"
    source.write_text("print('hello')\n")
    store = folder / "store"
    store.mkdir()
    code = marshal.dumps(compile(source.read_text(), "main.py", "exec"))
    (store / "main.marshal").write_bytes(code)
    write(
        str(store),
        {
            "format": 1,
            "abi": 1,
            "name": "main",
            "entry": "__main__",
            "made_by": {},
            "python": this_python(),
            "target": {"triple": host_triple(), "features": []},
            "support": None,
            "units": [
                {
                    "module": "__main__",
                    "package": False,
                    "source": {"file": "../main.py", "sha256": sha256_of(source.read_bytes())},
                    "code": {"file": "main.marshal", "sha256": sha256_of(code)},
                    "library": None,
                    "layout": "",
                    "functions": [],
                    "imports": [],
                }
            ],
            "regions": [],
        },
    )
    from ppy_runtime.manifest import load

    manifest: Manifest = load(str(store))
    cache = open_cache(str(folder))
    compiler = Path(__file__).parents[2] / "ppy-core" / "src" / "ppy_compiler"
    trees = [str(compiler)] if compiler.is_dir() else []
    key = ticket_key(str(source), {})
    if not write_ticket(cache, key, manifest, inputs=[str(source)], trees=trees, now_ns=time.time_ns()):
        print("no ticket: a source of the compiler changed just now", file=sys.stderr)
    return source


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=21)
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory() as name:
        os.environ["PPY_CACHE_DIR"] = str(Path(name) / "cache")
        source = str(leave_program(Path(name)))
        candidates = {
            "python -c pass": ["-c", "pass"],
            "import ppy": ["-c", "import ppy"],
            "python FILE": [source],
            "warm run": ["-c", WARM, source],
        }
        times: dict[str, list[float]] = {label: [] for label in candidates}
        for _ in range(repeat):
            for label, arguments in candidates.items():
                started = time.perf_counter()
                subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
                times[label].append((time.perf_counter() - started) * 1e3)
    median = {label: statistics.median(values) for label, values in times.items()}
    print(f"Python {sys.version.split()[0]}")
    for label, value in median.items():
        print(f"  {label:16} {value:7.2f} ms")
    print(f"  import ppy adds  {median['import ppy'] - median['python -c pass']:7.2f} ms (bar 5)")
    print(f"  warm run adds    {median['warm run'] - median['python FILE']:7.2f} ms (bar 30, with the script's start)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
