"""The hand-compiled module of ``sample_unit.c``: its source, and how a test loads it."""

from __future__ import annotations

import ctypes
import dis
import linecache
import marshal
from functools import cache
from itertools import count
from pathlib import Path
from types import CodeType
from typing import Any

from native_library import compile_c, directory, libraries

SOURCE = """\
def add(a, b=10, *, c=0):
    return a + b + c
def look(call):
    return [call()]
def fail(x):
    return 1 / x
def outer(x):
    return fail(x)
def make(n):
    def inner(x):
        return x + n
    return inner
def bump():
    global counter
    counter += 1
    return counter
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
def spin(nogil):
    while True: pass
def rest(a, /, *args, **kwargs):
    return (a, args, kwargs)
counter = 0
class K:
    def method(self, x): return x
"""
CELLS = "add look fail outer make bump counter depth spin rest missing len K".split(" ")
CONSTANTS = (1, "n", (10,), "c", 0)
#: Function records whose one call or operation has a traceback position, and the operation.
POSITIONS = {2: ("CALL", "PRECALL"), 3: ("BINARY_OP",), 4: ("CALL", "PRECALL"), 6: ("BINARY_OP",)}
_copies = count()


def codes(code: CodeType) -> list[CodeType]:
    """Code objects in preorder."""
    inner = [part for const in code.co_consts if isinstance(const, CodeType) for part in codes(const)]
    return [code, *inner]


@cache
def _library() -> Path:
    output = directory() / "sample_unit.so"
    compile_c([Path(__file__).with_name("sample_unit.c")], output)
    return output


class Sample:
    """One loaded copy of the module: its dict, and its library for what tests reach into."""

    def __init__(self, name: str = "sample", run: bool = True) -> None:
        libraries()
        path = directory() / f"sample{next(_copies)}.so"
        path.write_bytes(_library().read_bytes())
        self.path = str(path.with_suffix(".py"))
        linecache.cache[self.path] = (len(SOURCE), None, SOURCE.splitlines(True), self.path)
        self.library = ctypes.PyDLL(str(path))
        self.marshalled = marshal.dumps((*CONSTANTS, *CELLS))
        prepare = self.library.sample_prepare
        prepare.argtypes = (ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
        prepare.restype = ctypes.c_void_p
        self.unit: int = prepare(self.marshalled, len(self.marshalled), len(CONSTANTS) + len(CELLS), len(CONSTANTS))
        self.code = compile(SOURCE, self.path, "exec")
        self.lasti = (ctypes.c_int64 * 16).in_dll(self.library, "sample_lasti")
        for index, names in POSITIONS.items():
            for instruction in dis.get_instructions(codes(self.code)[index]):
                if instruction.opname in names:
                    self.lasti[index] = instruction.offset
        self.dict: dict[str, Any] = {"__name__": name, "__builtins__": __builtins__}
        if run:
            assert self.execute(self.dict) is None

    def execute(self, dict_: dict[str, Any]) -> object:
        """Runs the module's native body in a dict."""
        execute = self.library.ppy_unit_entry
        execute.restype = ctypes.py_object
        execute.argtypes = (ctypes.py_object,) * 3
        result: object = execute(dict_, self.code, "sample")
        return result

    def __getattr__(self, name: str) -> Any:
        try:
            return self.dict[name]
        except KeyError:
            raise AttributeError(name) from None


def plain(name: str = "sample") -> dict[str, Any]:
    """The module as CPython runs it, under the same file name."""
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(SOURCE, "plain_sample.py", "exec"), namespace)
    linecache.cache["plain_sample.py"] = (len(SOURCE), None, SOURCE.splitlines(True), "plain_sample.py")
    return namespace
