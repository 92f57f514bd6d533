"""E30xx: faults of PPY itself. They end a command with status 3 and leave a report file."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

INTERNAL_ERROR = Code(
    code="E3001",
    slug="internal-error",
    title="PPY itself failed",
    message="PPY failed while it was {stage}: {error}",
    help="the report is in `{report}`; please send it with an issue",
    explanation="""\
This is a bug of PPY, not of the program. The report holds versions, options and the traceback, and no part of the
program's text beyond the file's name.""",
    bad="$ ppy check main.py  # meets a bug\n",
    fixed="$ ppy check main.py\n",
    language="console",
    raised_by="tests/cli/test_bad_input.py::test_internal_error",
)

INVALID_IR = Code(
    code="E3002",
    slug="invalid-ir",
    title="A stage of PPY made invalid IR",
    message="the IR is invalid after {stage}: {problem}",
    help="the report is in `{report}`; please send it with an issue",
    explanation="""\
The verifier runs around the pipeline, and after every pass under `PPY_VERIFY=1`, to catch faults before they become
wrong answers.""",
    bad="$ ppy check main.py  # meets a bug\n",
    fixed="$ ppy check main.py\n",
    language="console",
    raised_by="tests/cli/test_bad_input.py::test_invalid_ir",
)
