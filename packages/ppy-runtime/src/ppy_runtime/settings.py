"""The environment variables that change how a program runs, read in one place.

``PPY_DISABLE=1`` turns everything back into CPython, ``PPY_VERBOSE=1`` prints one line for each module that runs from
source although native code was meant for it.

Code that was made and cannot be used is no note but a warning, once in a process: nothing runs slowly in silence.
"""

from __future__ import annotations

import os
import sys


def _on(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def disabled() -> bool:
    """Whether everything is to run under plain CPython."""
    return _on("PPY_DISABLE")


def verbose() -> bool:
    """Whether notes about fallbacks are wanted."""
    return _on("PPY_VERBOSE")


def note(text: str) -> None:
    """Tell a person who asked for it, on standard error, and never fail because of that."""
    if verbose():
        _tell(f"ppy: note: {text}")


_warned: list[str] = []


def warn(text: str) -> None:
    """Tell whoever runs the program, once in a process, why it is slower than it was built to be; what else is to be
    told is a note."""
    if _warned:
        note(text)
    else:
        _warned.append(text)
        _tell(f"ppy: warning: {text}")


def _tell(line: str) -> None:
    try:
        print(line, file=sys.stderr)
    except (OSError, ValueError, AttributeError):  # closed or absent standard error
        pass
