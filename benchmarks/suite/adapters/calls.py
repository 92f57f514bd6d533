"""Time calls of the same functions, compiled and not, from Python code; prints JSON. Run it by the Python to measure.

`calls.py FOLDER ROUNDS`: the folder gets one text twice, as a module for the import hook and as an ordinary one.
"""

from __future__ import annotations

import importlib
import json
import sys
import timeit
from pathlib import Path

TEXT = '''
def add(a: int, b: int) -> int:
    return a + b


class Adder:
    def add(self, a: int, b: int) -> int:
        return a + b
'''
FORMS = {"positional": "add(20, 22)", "keyword": "add(a=20, b=22)", "method": "adder.add(20, 22)"}
CALLS = 50_000


def main() -> None:
    folder, rounds = Path(sys.argv[1]), int(sys.argv[2])
    (folder / "compiled_calls.ppy").write_text(TEXT)
    (folder / "plain_calls.py").write_text(TEXT)
    sys.path.insert(0, str(folder))
    import ppy

    ppy.install()
    timers = {}
    for engine, name in (("Python", "plain_calls"), ("ppy", "compiled_calls")):
        module = importlib.import_module(name)
        scope = {"add": module.add, "adder": module.Adder()}
        for form, call in FORMS.items():
            timers[f"{engine}, {form}"] = timeit.Timer(call, globals=scope)
    from ppy_runtime.binding import signature_of

    compiled = importlib.import_module("compiled_calls")
    notes = {} if signature_of(compiled.add) is not None else {"ppy, positional": "not compiled"}
    seconds: dict[str, list[float]] = {name: [] for name in timers}
    for turn in range(8 * rounds + 1):
        for name, timer in timers.items():
            elapsed = timer.timeit(CALLS) / CALLS
            if turn > 0:
                seconds[name].append(elapsed)
    print(json.dumps({"python": sys.version.split()[0], "seconds": seconds, "notes": notes}))


if __name__ == "__main__":
    main()
