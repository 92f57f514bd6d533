"""E18xx: artifacts that cannot be used or written."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

BAD_MANIFEST = Code(
    code="E1801",
    slug="bad-manifest",
    title="An artifact cannot be used",
    message="the artifact in `{folder}` cannot be used: {reason}",
    help="{remedy}",
    explanation="""\
An artifact is a folder with a manifest, a native library and the sources it binds. The manifest says for which Python
and machine it was built and what its files hold; something of that does not fit. Built again, it will.""",
    bad="$ ppy run OTHER_MACHINES_ARTIFACT\n",
    fixed="""\
$ ppy build main.py -o ARTIFACT
$ ppy run ARTIFACT
""",
    language="console",
    raised_by="tests/cli/test_bad_input.py::test_unusable_artifact",
)

UNWRITABLE_OUTPUT = Code(
    code="E1802",
    slug="unwritable-output",
    title="The output cannot be written",
    message="cannot write to `{folder}`: {reason}",
    help="choose a folder that can be written with `-o`, or free some space",
    explanation="""\
`ppy build` writes the whole artifact beside its destination, then moves it into place. Nothing half-written stays.""",
    bad="$ ppy build main.py -o /proc/artifact\n",
    fixed="$ ppy build main.py -o artifact\n",
    language="console",
    raised_by="tests/cli/test_bad_input.py::test_unwritable_output",
)
