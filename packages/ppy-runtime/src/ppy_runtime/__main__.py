"""``python -m ppy_runtime DIR [ARGUMENTS]``: run a built artifact.

Exit status: the program's own, or 2 when the artifact cannot be run, with the reason and the remedy on standard error.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `-m` puts the current folder first, where a `json.py` would be taken for the library's.
    sys.path[0] = os.path.dirname(sys.executable)

from ppy_runtime.manifest.errors import ManifestError

_USAGE = "usage: python -m ppy_runtime DIR [ARGUMENTS]\n\nRun the artifact that `ppy build` wrote into DIR.\n"


def main(argv: list[str]) -> int:
    """Run the artifact named first in ``argv`` with the rest as its arguments."""
    if not argv or argv[0] in ("-h", "--help"):
        (sys.stdout if argv else sys.stderr).write(_USAGE)
        return 0 if argv else 2
    from ppy_runtime.launch.artifact import load_artifact, run_loaded

    try:
        manifest = load_artifact(argv[0])
    except ManifestError as error:
        print(error.report(argv[0]), file=sys.stderr)
        return 2
    run_loaded(manifest, argv[0], argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
