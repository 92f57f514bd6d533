"""Runs a program as ``python FILE`` does, through all passes over Python IR and the reference interpreter."""

from __future__ import annotations

import builtins
import os
import sys
import types

from ppy_compiler.dialects.py.reference.run import recursion_limits, run_module
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.passes import pipeline
from ppy_compiler.passes.table import ORDER, TABLE
from ppy_compiler.support.source import Source


def main(path: str) -> None:
    source = Source.read(os.path.abspath(path))
    code = compile_code(source)
    module = build_module(source, "__main__", code)
    pipeline(list(TABLE), TABLE, ORDER).run(module, verify_each=True)
    program = types.ModuleType("__main__")
    program.__file__ = path
    vars(program)["__builtins__"] = builtins
    sys.modules["__main__"] = program
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    with recursion_limits():
        run_module(module, code, vars(program))


def show(kind: type[BaseException], error: BaseException, traceback: types.TracebackType | None) -> None:
    """As CPython shows an uncaught exception, without the frames that are not the program's."""
    while traceback is not None and traceback.tb_frame.f_globals.get("__file__") != sys.argv[0]:
        traceback = traceback.tb_next
    sys.__excepthook__(kind, error.with_traceback(traceback), traceback)


if __name__ == "__main__":
    del sys.argv[0]
    sys.excepthook = show
    main(sys.argv[0])
