"""The compiler behind the import hook: `import ppy; import geometry` with `geometry.ppy` beside the program.

Registered in the entry-point group `ppy.compiler`; `ppy_runtime.launch.provide` loads it when neither an artifact nor
the cache has the module. What it builds goes to the cache with a ticket, so that the next process needs no compiler.
"""

from __future__ import annotations

import gc
import os

from ppy_compiler.driver.execution import prepare
from ppy_compiler.driver.session import Session
from ppy_compiler.support.source import Source


def provide(source: str, module: str) -> str | None:
    """The folder of a manifest that holds `source` as `module`, or None when it should run from source. Whatever is
    wrong with the source is left to CPython, which reports it when it runs it."""
    session = Session(os.path.dirname(os.path.abspath(source)), {})
    if session.config["engine"] != "native":
        return None
    collecting = gc.isenabled()
    gc.disable()  # as the command does: everything a compilation makes is needed to its end
    try:
        outcome = prepare(session, Source.read(source), {}, name=module)
    except (OSError, SyntaxError, ValueError):
        return None
    finally:
        if collecting:
            gc.enable()
    return outcome.manifest.root if outcome.manifest is not None else None
