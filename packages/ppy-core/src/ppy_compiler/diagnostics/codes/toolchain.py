"""E21xx: tools of the machine that are missing or fail."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

NO_LINKER = Code(
    code="E2101",
    slug="no-linker",
    title="No linker was found",
    message="no linker was found; tried {tried}",
    help="install a C compiler, or `pip install ziglang`; `ppy run` needs none",
    explanation="""\
`ppy build` writes one shared library, and a linker is the only tool that takes. Any of cc, gcc, clang, lld and zig
will do; `ppy doctor` shows what was found.""",
    bad="$ PATH= ppy build main.py -o artifact\n",
    fixed="""\
$ pip install ziglang
$ ppy build main.py -o artifact
""",
    language="console",
    raised_by="tests/build/test_toolchain.py::test_no_linker",
)

TOOL_FAILED = Code(
    code="E2102",
    slug="tool-failed",
    title="A tool failed",
    message="`{tool}` ended with status {status}: {output}",
    help="run with `-v` to see the whole command",
    explanation="""\
A tool of the machine refused its input. The message is the end of what it printed.""",
    bad="$ CC=false ppy build main.py -o artifact\n",
    fixed="$ CC=gcc ppy build main.py -o artifact\n",
    language="console",
    raised_by="tests/build/test_toolchain.py::test_tool_fails",
)

UNUSABLE_DISK = Code(
    code="E2103",
    slug="unusable-disk",
    title="Files cannot be written while building",
    message="a file that the build needs cannot be written: {reason}",
    help="free some space, or set `TMPDIR` to a folder that can be written",
    explanation="""\
Code passes through files in the temporary folder on its way to the linker and the loader. Without them nothing can be
made; `ppy run` leaves the program to CPython.""",
    bad="$ (ulimit -f 0; ppy build main.py -o artifact)\n",
    fixed="$ ppy build main.py -o artifact\n",
    language="console",
    raised_by="tests/cli/test_disk.py::test_a_full_disk",
)
