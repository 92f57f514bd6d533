"""The warm path: a program that was built before, found in the cache by content and run. Imports no compiler.

Takes what the command line says; gives a validated manifest or nothing. A miss costs a few file reads and leaves the
process as it was, so the caller goes on to build.
"""

from __future__ import annotations

import os

from ..manifest.cache import open_cache
from ..manifest.ticket import find_ticket, ticket_key
from ..settings import disabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..manifest.document import Manifest


def find_program(
    source: str, options: Mapping[str, str], *, module: str = "__main__", cache_dir: str | None = None
) -> Manifest | None:
    """The cached program for ``source`` under ``options``, if everything its build depended on is unchanged."""
    cache = open_cache(os.path.dirname(os.path.abspath(source)), cache_dir)
    return find_ticket(cache, ticket_key(source, options, module))


def run_cached(
    source: str, arguments: Sequence[str], options: Mapping[str, str], *, cache_dir: str | None = None
) -> bool:
    """Run ``source`` from the cache as ``__main__``. True when it ran and ended normally; its exceptions pass through;
    False when the cache has nothing valid, and then nothing happened. With ``PPY_DISABLE=1`` this is ``python SOURCE``
    and does not return."""
    from .program import run_program, run_source
    from .units import Program

    if disabled():
        run_source(source, arguments)
    manifest = find_program(source, options, cache_dir=cache_dir)
    if manifest is None:
        return False
    program = Program(manifest)
    if program.damaged():
        return False
    run_program(program, [source, *arguments], source)
    return True
