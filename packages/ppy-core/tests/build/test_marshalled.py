from __future__ import annotations

import marshal
import subprocess
import sys
from types import CodeType

from ppy_compiler.build.marshalled import dumps

PROGRAM = '''
"""doc"""
import os
LIMIT = 10**30 + 2**70
def f(x, *a, k: "int" = (1, 2.5, -0.0, 1j, b"x", None, ..., True), **kw):
    def inner():
        return x in {"a", "b", "c"}, "naïve ☃", "identifier", LIMIT
    return inner
class C:
    __slots__ = ("a",)
    attr = frozenset
print(os.name, "identifier", [i for i in "x"], f"{LIMIT!r:>{10}}")
'''


def compiled() -> CodeType:
    code: CodeType = compile(PROGRAM, "p.py", "exec", dont_inherit=True)
    return code


def test_loads_reads_it_back() -> None:
    code = compiled()
    assert marshal.loads(dumps(code)) == code


def test_who_holds_the_constants_changes_nothing() -> None:
    code = compiled()
    first = dumps(code)
    held = [constant for constant in code.co_consts for _ in range(3)]
    assert dumps(code) == first == dumps(marshal.loads(first))
    assert held


def test_every_process_writes_the_same() -> None:
    script = (
        "import sys; from ppy_compiler.build.marshalled import dumps; "
        f"sys.stdout.buffer.write(dumps(compile({PROGRAM!r}, 'p.py', 'exec')))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert runs == {dumps(compiled())}
