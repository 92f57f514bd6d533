"""Running programs: built artifacts, cached programs, sources. Never compiles.

``run_artifact(directory, argv)``
    ``python -m ppy_runtime DIR`` and the launcher script that ``launcher_script`` writes.
``run_cached(source, argv, options)``
    The warm path of ``ppy run``: returns False when there is nothing valid in the cache, and then nothing happened.
``run_manifest(manifest, argv)``
    What both come to, and what a cold ``ppy run`` does after its build.
``run_source(source, argv)``
    ``python FILE`` itself, by replacing this process; the fallback that needs no argument about equality.

Each of the first three runs the entry module as ``__main__`` exactly as ``python FILE`` would: see ``program``.

Loading follows the manifest: ``native`` opens libraries, ``units`` loads modules from them, falling back to CPython on
the same code whenever a library is missing, altered or refuses, ``finder`` makes the program's imports find them.
Submodules load on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .artifact import generated_modules, launcher_script, run_artifact
    from .native import PrebuiltBinder
    from .program import run_manifest, run_source
    from .warm import find_program, run_cached

_HOME = {
    "PrebuiltBinder": "native",
    "find_program": "warm",
    "generated_modules": "artifact",
    "launcher_script": "artifact",
    "run_artifact": "artifact",
    "run_cached": "warm",
    "run_manifest": "program",
    "run_source": "program",
}

__all__ = [
    "PrebuiltBinder",
    "find_program",
    "generated_modules",
    "launcher_script",
    "run_artifact",
    "run_cached",
    "run_manifest",
    "run_source",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(__import__(f"{__name__}.{home}", fromlist=[name]), name)  # cheaper than importing importlib
