"""The entry of the `ppy` command.

The first thing tried is the warm path of `ppy run`: a program found in the cache by content runs through
`ppy_runtime.launch` alone, before anything of the compiler but this module and the table of options is imported.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BUILT_VARIABLE = "PPY_JUST_BUILT"
"""Set for the process that replaces the one that compiled: it must not compile again."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (else the process's own) asks for; its exit status."""
    try:
        return _main(argv)
    except KeyboardInterrupt:
        from ppy_runtime.launch.program import started

        if not started():  # nothing but ourselves was interrupted: the process dies by the signal, without a word
            sys.excepthook = lambda *_: None
        raise


def _main(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    just_built = os.environ.pop(BUILT_VARIABLE, "") != ""
    if words[:1] != ["run"]:
        from ppy_compiler.cli.dispatch import dispatch

        status = dispatch(words)
        if argv is None:
            gc.freeze()  # all of it goes with the process: a last look for cycles would be a fifth of `ppy check`
        return status
    from ppy_compiler.cli import runline

    line = runline.parse(words[1:])
    if line is None:
        from ppy_compiler.cli.dispatch import dispatch

        return dispatch(words)
    if line.verbose:
        os.environ["PPY_VERBOSE"] = str(line.verbose)
    if os.path.isfile(line.file):  # what is no plain file, such as a pipe, can be read once only: by CPython
        from ppy_runtime.launch.warm import run_cached

        options = runline.ticket_options(line.options, "PPY_FAIL_GUARDS" in os.environ)
        if run_cached(line.file, line.arguments, options, cache_dir=line.options.get("cache-dir")):
            return 0
    from ppy_compiler.cli.commands.run import run_cold

    return run_cold(line, may_replace=argv is None and not just_built)


if __name__ == "__main__":
    sys.exit(main())
