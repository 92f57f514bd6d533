"""R41xx: why a single operation is the C-API call that CPython would make. The function around it is native."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

UNPROVEN_TYPE = Code(
    code="R4101",
    slug="unproven-type",
    title="An operation stayed general: the type of a value is not proven",
    message="{operation} stays general: `{value}` is `{type}`",
    help="{remedy}",
    explanation="""\
The operation has a fast form for some types, and inference could not show that the value has one of them.""",
    bad="""\
def f(a, b):
    return a + b
""",
    fixed="""\
def f(a: int, b: int) -> int:
    return a + b
""",
    raised_by="check",
)

UNMODELLED_CALL = Code(
    code="R4102",
    slug="unmodelled-call",
    title="A call stayed general: nothing is known about the callee",
    message="the call of `{callee}` goes through CPython: {reason}",
    help="the call itself costs what it costs under CPython; keep it out of the innermost loop",
    explanation="""\
PPY has no model of the function that says which native code does the same. It calls the function as CPython would,
and assumes nothing about what it does or returns.""",
    bad="""\
import colorsys


def f(n: int):
    return colorsys.rgb_to_hsv(n, n, n)
""",
    fixed="""\
def f(n: int) -> int:
    return max(n, 3)
""",
    raised_by="check",
)

OBJECT_ATTRIBUTE = Code(
    code="R4103",
    slug="object-attribute",
    title="An attribute access stayed general",
    message="`.{name}` is looked up by CPython: the object is `{type}`",
    help="in a loop, read it once before the loop; an annotation helps where the class is a built-in one",
    explanation="""\
Where an attribute stands in an object is known only once the object's class is.""",
    bad="""\
def f(p):
    return p.x
""",
    fixed="""\
def f(x: int) -> int:
    return x
""",
    raised_by="check",
)

BIG_CONSTANT = Code(
    code="R4104",
    slug="big-constant",
    title="An operation stayed general: a constant does not fit a machine word",
    message="{operation} stays general: `{value}` does not fit 64 bits",
    help="where only the low bits matter, mask the result: `& 0xFFFFFFFFFFFFFFFF`",
    explanation="""\
Integers have Python's arbitrary precision; those that fit a machine word are kept in one. This one cannot be.""",
    bad="""\
def f(n: int) -> int:
    return n + 2**100
""",
    fixed="""\
def f(n: int) -> int:
    return n + 2**10
""",
    raised_by="check",
)

MIXED_TYPES = Code(
    code="R4105",
    slug="mixed-types",
    title="A variable stayed general: it holds values of several types",
    message="`{name}` is kept as an object: it is {types}",
    help="use one variable for each type",
    explanation="""\
A variable whose values have different representations is kept as a Python object between its uses.""",
    bad="""\
def f(n: int):
    k = n
    if n > 3:
        k = "many"
    return k
""",
    fixed="""\
def f(n: int) -> str:
    k = str(n)
    if n > 3:
        k = "many"
    return k
""",
    raised_by="check",
)

NO_NATIVE_FORM = Code(
    code="R4106",
    slug="no-native-form",
    title="An operation stayed general: it has no native form",
    message="{operation} on `{type}` has no native form; CPython's own code runs it",
    help="this operation costs what it costs under CPython",
    explanation="""\
The types are known, but this backend has no faster code for the operation than the one in CPython.""",
    bad="""\
def f(a: complex, b: complex) -> complex:
    return a**b
""",
    fixed="""\
def f(a: float, b: float) -> float:
    return a * b
""",
    raised_by="check",
)

LIBRARY_OPERATION = Code(
    code="R4107",
    slug="library-operation",
    title="An operation on a library's object stayed general",
    message="{operation} on `{type}` goes through CPython: {reason}",
    help="the operation itself costs what it costs under CPython; keep it out of the innermost loop",
    explanation="""\
A plugin knows what the operation gives, but native code does not do it itself: there is no native form, or one that
takes other types.""",
    bad="""\
import tinylib


def f(v: tinylib.Vector):
    return v + v
""",
    fixed="""\
import tinylib


def f(x: float):
    return tinylib.cube(x)
""",
    raised_by="tests/plugins/test_tiny_plugin.py::test_the_reasons_of_operations",
)
