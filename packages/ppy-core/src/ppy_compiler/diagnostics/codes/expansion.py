"""R42xx: why calls of a function declared ``@ppy.inline`` are not expanded in place. They are calls, as they were."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

CALL_NOT_EXPANDED = Code(
    code="R4201",
    slug="call-not-expanded",
    title="A call of a function declared inline is not expanded",
    message="the call of `{callee}` is not expanded: {reason}",
    help="annotate both functions, call the function by its own name, and pass every argument",
    explanation="""\
Only a direct call from one native function to another of the module can be expanded in place. Where a call is not
known to be one, it goes through the function object, as under CPython.""",
    bad="""\
import ppy


@ppy.inline
def scaled(x: int, by: int = 3) -> int:
    return x * by


def total(n: int) -> int:
    found = 0
    for k in range(n):
        found += scaled(k)
    return found
""",
    fixed="""\
import ppy


@ppy.inline
def scaled(x: int, by: int = 3) -> int:
    return x * by


def total(n: int) -> int:
    found = 0
    for k in range(n):
        found += scaled(k, 3)
    return found
""",
    raised_by="check",
)

NEVER_EXPANDED = Code(
    code="R4202",
    slug="never-expanded",
    title="No call of a function declared inline can be expanded",
    message="no call of `{callee}` is expanded: {reason}",
    help="make it a small function at the module's top level, or remove the `@ppy.inline`",
    explanation="""\
Calls are expanded where the caller knows which native function it calls. Methods and inner functions are found at run
time, and a function that runs as Python has no native code to expand.""",
    bad="""\
import ppy


class Grid:
    @ppy.inline
    def index(self, x: int, y: int) -> int:
        return 64 * y + x
""",
    fixed="""\
import ppy


@ppy.inline
def index(x: int, y: int) -> int:
    return 64 * y + x
""",
    raised_by="check",
)
