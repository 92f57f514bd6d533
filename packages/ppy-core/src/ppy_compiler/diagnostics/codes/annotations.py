"""E13xx: annotations that say nothing, or the impossible."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

NOT_A_TYPE = Code(
    code="E1301",
    slug="not-a-type",
    title="An annotation does not name a type",
    message="`{annotation}` is not a type",
    help="{remedy}",
    explanation="""\
An annotation is a class, a type alias, a form of `typing`, a type of `ppy`, or a string that holds one of these. PPY
reads annotations; it never evaluates them. Mark a function whose annotations mean something else `@ppy.reflective`.""",
    bad="""\
def f(n: 3) -> int:
    return n
""",
    fixed="""\
def f(n: int) -> int:
    return n
""",
    raised_by="check",
)

BAD_REFINEMENT = Code(
    code="E1302",
    slug="bad-refinement",
    title="A refinement does not fit its type",
    message="`{refinement}` cannot refine `{type}`: {reason}",
    help="see the language reference for what each refinement applies to",
    explanation="""\
`Annotated[int, ppy.Range(0, 9)]` narrows a type; the refinement must apply to that type, and admit some value.""",
    bad="""\
from typing import Annotated

import ppy


def f(name: Annotated[str, ppy.Range(0, 9)]) -> str:
    return name
""",
    fixed="""\
from typing import Annotated

import ppy


def f(n: Annotated[int, ppy.Range(0, 9)]) -> int:
    return n
""",
    raised_by="check",
)

DEFAULT_TYPE = Code(
    code="E1303",
    slug="default-type",
    title="A default has another type than its parameter",
    message="the default of `{parameter}` is `{actual}`, its annotation says `{expected}`",
    help="write `{expected} | {actual}`, or change the default",
    explanation="""\
The annotation of a parameter admits every value the parameter can have, its default included.""",
    bad="""\
def f(n: int = None) -> bool:
    return n is None
""",
    fixed="""\
def f(n: int | None = None) -> bool:
    return n is None
""",
    raised_by="check",
)
