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
    bad="def evens(n: int):\n    for i in range(n):\n        yield 2 * i\n",
    fixed="def evens(n: int) -> list[int]:\n    return [2 * i for i in range(n)]\n",
)

ASYNC = _stayed_python(
    "R4002",
    "async",
    what="asynchronous code",
    help="move the computation into an ordinary function and call that",
    explanation="""\
A coroutine is run by CPython. What it awaits dominates its time as a rule; computations belong into functions that it
calls.""",
    bad="async def f(n: int) -> int:\n    return sum(range(n))\n",
    fixed="def f(n: int) -> int:\n    return sum(range(n))\n",
)

WITH_STATEMENT = _stayed_python(
    "R4003",
    "with-statement",
    what="a `with` statement",
    help="move the loop inside `with` into a function of its own",
    explanation="""\
The body of a `with` statement runs between calls of the context manager, which may look at the frame.""",
    bad="import threading\n\nlock = threading.Lock()\n\n\ndef f(n: int) -> int:\n    with lock:\n        return n * n\n",
    fixed="def f(n: int) -> int:\n    return n * n\n",
)

CLASS_BODY = _stayed_python(
    "R4004",
    "class-body",
    what="a class definition",
    help="define the class at module level",
    explanation="""\
A class body runs once, in a namespace of its own. Its methods are compiled like any other function.""",
    bad="def f(n: int) -> int:\n    class Box:\n        size = 2\n\n    return n * Box.size\n",
    fixed="class Box:\n    size = 2\n\n\ndef f(n: int) -> int:\n    return n * Box.size\n",
)

CLOSURE_REBINDING = _stayed_python(
    "R4005",
    "closure-rebinding",
    what="a variable that an inner function rebinds, or sees rebound",
    help="pass the value as an argument and return the new one",
    explanation="""\
A variable that an inner function shares lives in a cell, and may change at every call.""",
    bad="def f(n: int) -> int:\n    total = 0\n\n    def add(k: int) -> None:\n        nonlocal total\n        total += k\n\n"
    "    for i in range(n):\n        add(i)\n    return total\n",
    fixed="def f(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n",
)

DYNAMIC_SCOPE = _stayed_python(
    "R4006",
    "dynamic-scope",
    what="`exec`, `eval`, `locals` or `vars`, which see its variables",
    help="name the values: a dict, a function table, `getattr`",
    explanation="""\
Code that can read or write the function's variables by name needs them where CPython keeps them.""",
    bad='def f(n: int) -> int:\n    k = eval("n + 1")\n    return k * n\n',
    fixed="def f(n: int) -> int:\n    k = n + 1\n    return k * n\n",
)

EXCEPT_STAR = _stayed_python(
    "R4007",
    "except-star",
    what="`except*`",
    help="catch the group with `except`, and split it there",
    explanation="""\
Splitting exception groups is left to CPython.""",
    bad="def f(n: int) -> int:\n    try:\n        return 10 // n\n    except* ZeroDivisionError:\n        n = 0\n    return n\n",
    fixed="def f(n: int) -> int:\n    try:\n        return 10 // n\n    except ZeroDivisionError:\n        n = 0\n    return n\n",
)

DECLARED_DYNAMIC = _stayed_python(
    "R4008",
    "declared-dynamic",
    what="`@ppy.dynamic` or `with ppy.dynamic()`",
    help="remove the directive",
    explanation="""\
The code asks to be left to CPython, with nothing assumed about it.""",
    bad="import ppy\n\n\n@ppy.dynamic\ndef f(n: int) -> int:\n    return n + 1\n",
    fixed="def f(n: int) -> int:\n    return n + 1\n",
)
