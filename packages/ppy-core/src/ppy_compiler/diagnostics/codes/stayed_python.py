"""R40xx: why a whole function runs as Python. Each of its calls costs what it costs under CPython, and no more."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code


def _stayed_python(code: str, slug: str, *, what: str, help: str, explanation: str, bad: str, fixed: str) -> Code:
    return Code(
        code=code,
        slug=slug,
        title=f"A function with {what} stayed Python",
        message="`{function}` runs as Python: it contains " + what,
        help=help,
        explanation=explanation,
        bad=bad,
        fixed=fixed,
        raised_by="check",
    )


GENERATOR = _stayed_python(
    "R4001",
    "generator",
    what="`yield`",
    help="a function that builds and returns a list runs natively",
    explanation="""\
A generator keeps its frame alive between its values. CPython runs it; functions that iterate over it stay native, and
pay for each value what CPython pays.""",
    bad="""\
def evens(n: int):
    for i in range(n):
        yield 2 * i
""",
    fixed="""\
def evens(n: int) -> list[int]:
    return [2 * i for i in range(n)]
""",
)

ASYNC = _stayed_python(
    "R4002",
    "async",
    what="asynchronous code",
    help="move the computation into an ordinary function and call that",
    explanation="""\
A coroutine is run by CPython. What it awaits dominates its time as a rule; computations belong into functions that it
calls.""",
    bad="""\
async def f(n: int) -> int:
    return sum(range(n))
""",
    fixed="""\
def f(n: int) -> int:
    return sum(range(n))
""",
)

ZERO_ARGUMENT_SUPER = _stayed_python(
    "R4003",
    "zero-argument-super",
    what="`super()` without arguments",
    help="name the class: `super(Derived, self)`",
    explanation="""\
`super()` finds its class and instance in the frame of the function that calls it.""",
    bad="""\
class Base:
    def size(self) -> int:
        return 2


class Derived(Base):
    def size(self) -> int:
        return super().size() + 1
""",
    fixed="""\
class Base:
    def size(self) -> int:
        return 2


class Derived(Base):
    def size(self) -> int:
        return Base.size(self) + 1
""",
)

CLASS_BODY = _stayed_python(
    "R4004",
    "class-body",
    what="a class definition",
    help="define the class at module level",
    explanation="""\
A class body runs once, in a namespace of its own. Its methods are compiled like any other function.""",
    bad="""\
def f(n: int) -> int:
    class Box:
        size = 2

    return n * Box.size
""",
    fixed="""\
class Box:
    size = 2


def f(n: int) -> int:
    return n * Box.size
""",
)

DYNAMIC_SCOPE = _stayed_python(
    "R4006",
    "dynamic-scope",
    what="`exec`, `eval`, `locals` or `vars`, which see its variables",
    help="name the values: a dict, a function table, `getattr`",
    explanation="""\
Code that can read or write the function's variables by name needs them where CPython keeps them.""",
    bad="""\
def f(n: int) -> int:
    k = eval("n + 1")
    return k * n
""",
    fixed="""\
def f(n: int) -> int:
    k = n + 1
    return k * n
""",
)

DECLARED_DYNAMIC = _stayed_python(
    "R4008",
    "declared-dynamic",
    what="`@ppy.dynamic` or `with ppy.dynamic()`",
    help="remove the directive",
    explanation="""\
The code asks to be left to CPython, with nothing assumed about it.""",
    bad="""\
import ppy


@ppy.dynamic
def f(n: int) -> int:
    return n + 1
""",
    fixed="""\
def f(n: int) -> int:
    return n + 1
""",
)
