"""E01xx: what is wrong with a file before it has a meaning. The words are CPython's own."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

SYNTAX_ERROR = Code(
    code="E0101",
    slug="syntax-error",
    title="The file is not valid Python",
    message="{reason}",
    help="this is the SyntaxError that Python {version} reports for the file",
    explanation="""\
PPY accepts exactly the syntax of the Python that it runs on, and asks that Python to parse the file. The message and
the place are therefore CPython's. A form that only a newer Python knows needs that Python.""",
    bad="""\
def f(:
    return 1
""",
    fixed="""\
def f():
    return 1
""",
    raised_by="check",
)

BAD_ENCODING = Code(
    code="E0102",
    slug="bad-encoding",
    title="The file cannot be decoded",
    message="{reason}",
    help="save the file as UTF-8, or declare its encoding in a comment on one of the first two lines",
    explanation="""\
Python source is UTF-8 unless a comment such as `# coding: latin-1` in the first two lines, or a byte-order mark, says
otherwise. The bytes of this file do not fit what it declares. The message is CPython's.""",
    bad="""\
# coding: no-such-codec
print(1)
""",
    fixed="""\
# coding: utf-8
print(1)
""",
    raised_by="check",
)

UNREADABLE_FILE = Code(
    code="E0103",
    slug="unreadable-file",
    title="The file cannot be read",
    message="cannot read `{file}`: {reason}",
    help="check the path and its permissions",
    explanation="""\
The operating system refused to open or read the file. Paths are taken relative to the current directory.""",
    bad="$ ppy check absent.py\n",
    fixed="$ ppy check present.py\n",
    language="console",
    raised_by="tests/cli/test_bad_input.py::test_unreadable_file",
    exit_status=2,
)
