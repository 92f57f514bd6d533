"""Running an interpreted program as `__main__`: what `ppy_runtime.launch` does for compiled ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from ppy_runtime.launch import finder
from ppy_runtime.launch.program import absolute, become_main, leave_main
from ppy_runtime.launch.uncaught import show

import ppy_compiler

_OURS = os.path.dirname(os.path.abspath(ppy_compiler.__file__)) + os.sep


def run_as_main(body: Callable[[dict[str, Any]], None], path: str, argv: Sequence[str]) -> int:
    """Run `body` in the namespace of a fresh `__main__`; its exceptions pass, printed without any frame of ours."""
    finder.install()
    namespace = become_main(absolute(path), argv)
    failure: BaseException | None = None
    try:
        body(namespace)
    except SystemExit:
        raise
    except BaseException as error:
        failure = error.with_traceback(_without_ours(error.__traceback__))
    if failure is not None:
        show(failure)
    leave_main(namespace)
    if failure is not None:
        raise failure
    return 0


def _without_ours(traceback: TracebackType | None) -> TracebackType | None:
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(_OURS):
        traceback = traceback.tb_next
    return traceback
