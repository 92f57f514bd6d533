"""An exception that nothing in the program caught: printed as the interpreter prints it, launcher's frames left out.

The interpreter's own printing starts where the exception leaves the outermost frame, and by then the launcher's frames
are in the traceback. So ``show`` does what ``PyErr_PrintEx`` does, one level earlier, on the program's part of the
traceback; the exception then goes on to the interpreter for its exit status and finds a hook that prints nothing.
"""

from __future__ import annotations

import sys

from .native import alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def program_part(traceback: TracebackType | None) -> TracebackType | None:
    """What is left of a traceback without the launcher's frames, which come first."""
    while traceback is not None and traceback.tb_frame.f_globals.get("__package__") == __package__:
        traceback = traceback.tb_next
    return traceback


def show(error: BaseException) -> None:
    """Print ``error``, which the caller is about to raise again. ``SystemExit`` passes if the program's
    ``sys.excepthook`` raises it."""
    traceback = error.__traceback__
    _remember(error, traceback)
    hook = getattr(sys, "excepthook", None)
    if hook is None:
        _write("sys.excepthook is missing\n")
        sys.__excepthook__(type(error), error, traceback)
    else:
        try:
            alone(hook, type(error), error, traceback)
        except SystemExit:
            raise
        except BaseException as second:
            below = program_part(second.__traceback__)
            _write("Error in sys.excepthook:\n")
            sys.__excepthook__(type(second), second.with_traceback(below), below)
            _write("\nOriginal exception was:\n")
            sys.__excepthook__(type(error), error, traceback)

    after = getattr(sys, "excepthook", None)

    def shown_already(kind: type[BaseException], value: BaseException, whole: TracebackType | None) -> None:
        if after is None:
            del sys.excepthook
        else:
            sys.excepthook = after
        error.__traceback__ = traceback
        _remember(error, traceback)

    sys.excepthook = shown_already


def _remember(error: BaseException, traceback: TracebackType | None) -> None:
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, traceback
    if sys.version_info >= (3, 12):
        sys.last_exc = error


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
    except Exception:  # closed or replaced by something that cannot write: the interpreter gives up on it too
        pass
