"""E12xx: directives that are used wrongly, and contracts that the code does not keep."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

IMPURE = Code(
    code="E1201",
    slug="impure",
    title="A function declared pure has an effect",
    message="`{function}` is declared pure, but {effect}",
    help="remove the effect, or the `@ppy.pure`",
    explanation="""\
`@ppy.pure` promises that a call does nothing but compute: it may allocate, read, and raise, but not write to anything
its caller can see, nor do input or output. The notes name the chain of calls that brings the effect.""",
    bad="""\
import ppy


@ppy.pure
def area(r: float) -> float:
    print(r)
    return 3.0 * r * r
""",
    fixed="""\
import ppy


@ppy.pure
def area(r: float) -> float:
    return 3.0 * r * r
""",
    raised_by="check",
)

NATIVE_REQUIRED = Code(
    code="E1202",
    slug="native-required",
    title="A function that must be native is not",
    message="`{function}` must be native, but {reason}",
    help="{remedy}",
    explanation="""\
`@ppy.native(require=True)` turns every remark about the function, that it stayed Python or that one of its operations
stayed general, into an error.""",
    bad="""\
import ppy


@ppy.native(require=True)
def evens(n: int):
    for i in range(n):
        yield 2 * i
""",
    fixed="""\
import ppy


@ppy.native(require=True)
def even_sum(n: int) -> int:
    return n * (n - 1)
""",
    raised_by="check",
)

DIRECTIVE_ARGUMENT = Code(
    code="E1203",
    slug="directive-argument",
    title="A directive has an argument it does not take",
    message="`@ppy.{directive}`: {problem}",
    help="{remedy}",
    explanation="""\
Directives are read from the source text, so their arguments are literals, and each takes only those of its page.""",
    bad="""\
import ppy


@ppy.opt(7)
def f(n: int) -> int:
    return n
""",
    fixed="""\
import ppy


@ppy.opt(3)
def f(n: int) -> int:
    return n
""",
    raised_by="check",
)

DIRECTIVE_TARGET = Code(
    code="E1205",
    slug="directive-target",
    title="A directive stands on something that it says nothing about",
    message="`@ppy.{directive}` is about functions and says nothing about {target}",
    help="write it on the methods that are meant",
    explanation="""\
What a directive asks of code generation, it asks for one function. A class has methods, and the statements of its body
run once.""",
    bad="""\
import ppy


@ppy.opt(3)
class Counter:
    def up(self, n: int) -> int:
        return n + 1
""",
    fixed="""\
import ppy


class Counter:
    @ppy.opt(3)
    def up(self, n: int) -> int:
        return n + 1
""",
    raised_by="check",
)

DIRECTIVE_CONFLICT = Code(
    code="E1204",
    slug="directive-conflict",
    title="Two directives contradict each other",
    message="`@ppy.{first}` and `@ppy.{second}` on `{function}` contradict each other",
    help="keep one of them",
    explanation="""\
A function is inlined or not, is left to CPython or must be native; both at once cannot be meant.""",
    bad="""\
import ppy


@ppy.inline
@ppy.noinline
def f(n: int) -> int:
    return n
""",
    fixed="""\
import ppy


@ppy.inline
def f(n: int) -> int:
    return n
""",
    raised_by="check",
)

PARALLEL_REQUIRED = Code(
    code="E1206",
    slug="parallel-required",
    title="A function that must run on threads does not",
    message="`{function}` must run on threads, but {reason}",
    help="{remedy}",
    explanation="""\
`@ppy.parallel(require=True)` makes an error of a loop over `range` that stays on one thread, unless a loop inside it
runs on threads. What makes a loop eligible is told on the page of R4301.""",
    bad="""\
import ppy


@ppy.parallel(require=True)
def average(n: int) -> float:
    total = 0.0
    for i in range(n):
        total += i**0.5
    return total / n
""",
    fixed="""\
import ppy


@ppy.fastmath
@ppy.parallel(require=True)
def average(n: int) -> float:
    total = 0.0
    for i in range(n):
        total += i / (i + 1.0)
    return total / n
""",
    raised_by="check",
)
