"""Running a built artifact, and the launcher script beside it.

Takes a folder with a manifest; checks that this interpreter and machine are the ones it was built for and that its
sources are what was compiled (ManifestError otherwise: its answer would be another program's); runs it. A native
library that is missing or altered costs speed only: that module runs from source.
"""

from __future__ import annotations

import os
import shlex

from ..manifest.document import Manifest
from ..manifest.python import check_host
from ..manifest.store import file_problem, load
from ..settings import disabled
from .program import run_manifest, run_source
from .units import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType

_LAUNCHER = """\
#!/bin/sh
# Runs the PPY artifact in this folder. PPY_PYTHON chooses the interpreter; the one it was built with comes next.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=${{self%/*}}/$link ;; esac
done
case $self in */*) here=${{self%/*}} ;; *) here=. ;; esac
start='
import os, sys
sys.path[0] = os.path.dirname(sys.executable)
try:
    from ppy_runtime.__main__ import main
except ModuleNotFoundError:
    problem = "error[E1801]: the artifact in `%s` cannot be used: %s has no ppy-runtime" % (sys.argv[1], sys.executable)
    remedy = "  help: install ppy-runtime there, or set PPY_PYTHON to a Python {version} that has it"
    sys.stderr.write(problem + os.linesep + remedy + os.linesep)
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
'
python=${{PPY_PYTHON:-}}
if [ -z "$python" ]; then
  for python in {python} python{version} python3 python; do
    if command -v "$python" >/dev/null 2>&1; then break; fi
  done
fi
if command -v "$python" >/dev/null 2>&1; then
  exec "$python" -c "$start" "${{here:-/}}" "$@"
fi
echo "error[E1801]: the artifact in \\`${{here:-/}}\\` cannot be used: there is no $python" >&2
echo "  help: set PPY_PYTHON to a Python {version} that has ppy-runtime" >&2
exit 2
"""


def launcher_script(python: str, version: str) -> bytes:
    """The text of an artifact's launcher. ``python`` is the interpreter the build used, taken while it exists;
    ``version`` (``3.12``) is what is looked for otherwise. The folder may be moved: the script finds itself."""
    return _LAUNCHER.format(python=shlex.quote(python), version=version).encode("utf-8", "surrogateescape")


def generated_modules(manifest: Manifest) -> Iterator[tuple[str, CodeType]]:
    """(module name, code object) of every unit whose compiled code is there and unaltered."""
    program = Program(manifest)
    for name, unit in program.modules.items():
        code = program.code(unit, program.source_path(unit))
        if code is not None:
            yield name, code


def load_artifact(directory: str) -> Manifest:
    """The manifest of the artifact in ``directory``, fit to run here; ManifestError otherwise. All sources count: a
    module may have been compiled for what another one said."""
    manifest = load(directory, self_contained=True)
    check_host(manifest.document)
    for unit in manifest.document["units"]:
        problem = file_problem(manifest, unit["source"])
        if problem is not None:
            raise problem
    return manifest


def run_artifact(directory: str, arguments: Sequence[str]) -> None:
    """Run the artifact in ``directory`` with ``arguments``; ManifestError when it cannot be."""
    run_loaded(load_artifact(directory), directory, arguments)


def run_loaded(manifest: Manifest, directory: str, arguments: Sequence[str]) -> None:
    """Run a loaded artifact. ``sys.argv[0]`` is the entry's source in the artifact, as ``python FILE`` would have it.
    With ``PPY_DISABLE=1`` it is exactly that."""
    source = os.path.join(directory, *manifest.entry["source"]["file"].split("/"))
    if disabled():
        run_source(source, arguments)
    run_manifest(manifest, [source, *arguments], path=source)
