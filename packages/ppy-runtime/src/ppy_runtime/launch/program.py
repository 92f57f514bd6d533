"""Running a program as ``__main__``, exactly as ``python FILE`` does.

Takes a manifest (or a bare source) and the command line; ends as CPython would: normal return, ``SystemExit``, or the
program's own exception on its way to the interpreter, which prints it without any frame of ours, sets the exit status
and, for ``KeyboardInterrupt``, dies by the signal. What the program sees of its own situation (``sys.argv``,
``sys.path[0]``, ``sys.modules["__main__"]`` and the names in it) is made by ``become_main``.
"""

from __future__ import annotations

import builtins
import os
import sys
from _frozen_importlib_external import SourceFileLoader

from ..settings import note
from . import finder
from .units import MISFIT, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import NoReturn

    from ..manifest.document import Manifest


def absolute(path: str) -> str:
    """The path CPython shows for a script named ``path``: made absolute by joining, not tidied."""
    return path if os.path.isabs(path) else f"{os.getcwd()}{os.sep}{path}"


def interpreter_flags() -> list[str]:
    """The interpreter's own options this process was started with, to start another like it."""
    given = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    while given and (given[-1] == "-m" or not given[-1].startswith("-")):
        given.pop()
    return given


def run_source(source: str, arguments: Sequence[str]) -> NoReturn:
    """Replace this process by ``python SOURCE ARGUMENTS``: CPython's own run, before anything of the program ran."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable, [sys.executable, *interpreter_flags(), source, *arguments])


def become_main(path: str, argv: Sequence[str]) -> dict[str, object]:
    """Make this process look as ``python FILE`` looks before the first statement; the namespace of ``__main__``."""
    module = type(sys)("__main__")
    namespace = module.__dict__
    namespace["__loader__"] = SourceFileLoader("__main__", path)
    namespace["__annotations__"] = {}
    namespace["__builtins__"] = builtins
    namespace["__file__"] = path
    namespace["__cached__"] = None
    sys.modules["__main__"] = module
    sys.argv = list(argv)
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    return namespace


def leave_main(namespace: dict[str, object]) -> None:
    """What CPython does to ``__main__`` when the script has ended, before threads are joined and exit handlers run."""
    namespace.pop("__file__", None)
    namespace.pop("__cached__", None)


def show_from(error: BaseException, traceback: TracebackType | None) -> None:
    """Let the interpreter print ``error``, which is on its way out of this process, with ``traceback`` alone: the
    frames above it are the launcher's. The program's own ``sys.excepthook`` gets what it would get under CPython."""
    if not hasattr(sys, "excepthook"):  # the program deleted it: the interpreter says so and prints its own way
        return
    hook = sys.excepthook

    def uncaught(kind: type[BaseException], value: BaseException, whole: TracebackType | None) -> None:
        sys.excepthook = hook
        if value is error:
            value.__traceback__ = whole = sys.last_traceback = traceback
        hook(kind, value, whole)

    sys.excepthook = uncaught


def run_manifest(manifest: Manifest, argv: Sequence[str], *, path: str | None = None) -> None:
    """Run the manifest's entry as ``__main__`` with ``sys.argv = argv``. ``path`` is the entry's source as the user
    named it, when it was named."""
    program = Program(manifest)
    unit = manifest.entry
    path = absolute(path or program.source_path(unit))
    code = program.code(unit, path) if program.unchanged(unit) else None
    if code is None:
        note(f"{path!r} runs from source: its compiled code is missing or altered")
        run_source(path, argv[1:])
    execute = program.native(unit["module"])
    finder.add_program(program)
    namespace = become_main(path, argv)
    try:
        if execute is None or execute(namespace, code, "__main__") is NotImplemented:
            if execute is not None:
                note(f"__main__ runs from source: {MISFIT}")
            exec(code, namespace)
    except SystemExit:
        raise
    except BaseException as error:
        own = error.__traceback__
        show_from(error, own.tb_next if own is not None else None)
        raise
    finally:
        leave_main(namespace)
