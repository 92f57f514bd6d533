"""Running a program as ``__main__``, exactly as ``python FILE`` does.

Takes a manifest (or a bare source) and the command line; ends as CPython would: normal return, ``SystemExit``, or the
program's own exception, printed without any frame of ours, on its way to the interpreter, which sets the exit status
and, for ``KeyboardInterrupt``, dies by the signal. What the program sees of its own situation (``sys.argv``,
``sys.path[0]``, ``sys.modules["__main__"]`` and the names in it) is made by ``become_main``.
"""

from __future__ import annotations

import _warnings
import builtins
import os
import sys
from _frozen_importlib_external import SourceFileLoader

from ..manifest.files import read_bytes
from ..settings import warn
from . import finder
from .native import alone
from .uncaught import program_part, show
from .units import MISFIT, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from ..manifest.document import Manifest


_replaced: list[object] = []
"""The launcher's own ``__main__``: the interpreter uses its namespace once more when the script has ended, without
owning it."""


def started() -> bool:
    """Whether a program has started in this process: what happens from then on is its own."""
    return bool(_replaced)


def absolute(path: str) -> str:
    """The path CPython shows for a script named ``path``: made absolute by joining, not tidied."""
    return path if os.path.isabs(path) else f"{os.getcwd()}{os.sep}{path}"


def interpreter_flags() -> list[str]:
    """The interpreter's own options this process was started with, to start another like it."""
    given = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    if given and given.pop() != sys.argv[0] and given:  # no script, but what follows -m or -c
        options = given.pop()[:-1]
        given += [options] if options != "-" else []
    return given


def run_source(source: str, arguments: Sequence[str]) -> NoReturn:
    """Replace this process by ``python SOURCE ARGUMENTS``: CPython's own run, before anything of the program ran."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable, [sys.executable, *interpreter_flags(), source, *arguments])


def let_warn(path: str, arguments: Sequence[str]) -> None:
    """Let CPython warn of the source as it does whenever it compiles a script. Where a warning is an error it may end
    the program, and CPython's own run says so."""
    if any(entry[0] == "error" for entry in _warnings.filters):
        run_source(path, arguments)
    compile(read_bytes(path), path, "exec", dont_inherit=True)


def become_main(path: str, argv: Sequence[str]) -> dict[str, object]:
    """Make this process look as ``python FILE`` looks before the first statement; the namespace of ``__main__``."""
    module = type(sys)("__main__")
    namespace = module.__dict__
    namespace["__loader__"] = SourceFileLoader("__main__", path)
    namespace["__annotations__"] = {}
    namespace["__builtins__"] = builtins
    namespace["__file__"] = path
    namespace["__cached__"] = None
    _replaced.append(sys.modules["__main__"])
    sys.modules["__main__"] = module
    sys.argv = list(argv)
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    return namespace


def leave_main(namespace: dict[str, object]) -> None:
    """What CPython does to ``__main__`` when the script has ended other than by ``SystemExit``, before threads are
    joined and exit handlers run."""
    namespace.pop("__file__", None)
    namespace.pop("__cached__", None)


def run_manifest(manifest: Manifest, argv: Sequence[str], *, path: str | None = None) -> None:
    """Run the manifest's entry as ``__main__`` with ``sys.argv = argv``. ``path`` is the entry's source as the user
    named it, when it was named."""
    run_program(Program(manifest), argv, path)


def run_program(program: Program, argv: Sequence[str], path: str | None) -> None:
    """``run_manifest`` for a program in use."""
    unit = program.manifest.entry
    path = absolute(path or program.source_path(unit))
    code = program.code(unit, path) if program.unchanged(unit) else None
    if code is None:
        warn(f"{path!r} runs from source: its compiled code is missing or altered")
        run_source(path, argv[1:])
    if unit.get("warns"):
        let_warn(path, argv[1:])
    execute = program.native(unit["module"])
    finder.add_program(program)
    namespace = become_main(path, argv)
    failure: BaseException | None = None
    try:
        if execute is None or alone(execute, namespace, code, "__main__") is NotImplemented:
            if execute is not None:
                warn(f"__main__ runs from source: {MISFIT}")
            alone(exec, code, namespace)
    except SystemExit:
        raise
    except BaseException as error:
        failure = error.with_traceback(program_part(error.__traceback__))
    if failure is not None:
        # Outside the handler: the program's hook sees no exception being handled, as under CPython.
        show(failure)
    leave_main(namespace)
    if failure is not None:
        raise failure
