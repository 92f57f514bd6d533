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
    bad="import ppy\n\n\n@ppy.pure\ndef area(r: float) -> float:\n    print(r)\n    return 3.0 * r * r\n",
    fixed="import ppy\n\n\n@ppy.pure\ndef area(r: float) -> float:\n    return 3.0 * r * r\n",
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
    bad="import ppy\n\n\n@ppy.native(require=True)\ndef evens(n: int):\n    for i in range(n):\n        yield 2 * i\n",
    fixed="import ppy\n\n\n@ppy.native(require=True)\ndef even_sum(n: int) -> int:\n    return n * (n - 1)\n",
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
    bad="import ppy\n\n\n@ppy.opt(7)\ndef f(n: int) -> int:\n    return n\n",
    fixed="import ppy\n\n\n@ppy.opt(3)\ndef f(n: int) -> int:\n    return n\n",
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
    bad="import ppy\n\n\n@ppy.inline\n@ppy.noinline\ndef f(n: int) -> int:\n    return n\n",
    fixed="import ppy\n\n\n@ppy.inline\ndef f(n: int) -> int:\n    return n\n",
    raised_by="check",
)
