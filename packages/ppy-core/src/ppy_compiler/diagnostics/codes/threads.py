"""R43xx: why a loop of a function declared ``@ppy.parallel`` runs on one thread."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

ONE_THREAD = Code(
    code="R4301",
    slug="one-thread",
    title="A loop of a parallel function runs on one thread",
    message="this runs on one thread: {reason}",
    help="{remedy}",
    explanation="""\
`@ppy.parallel` runs a loop over `range` on threads when its iterations are independent: they compute with unboxed
numbers, call nothing but functions that do the same, and leave behind only sums, products, `&`, `|`, `^`, least and
greatest values, and variables that every iteration sets. Loops inside one that is not eligible are looked at.""",
    bad="""\
import ppy


@ppy.parallel
def first_square(n: int, wanted: int) -> int:
    found = -1
    for i in range(n):
        if i * i > wanted:
            found = i
            break
    return found
""",
    fixed="""\
import ppy


@ppy.parallel
def squares_above(n: int, wanted: int) -> int:
    found = 0
    for i in range(n):
        if i * i > wanted:
            found += 1
    return found
""",
    raised_by="check",
)
