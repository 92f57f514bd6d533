"""E11xx: operations that are certain to fail when they are reached, as inference proves. `ppy run` still runs them."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

ARGUMENT_TYPE = Code(
    code="E1101",
    slug="argument-type",
    title="An argument has another type than its parameter",
    message="`{function}` expects `{expected}` for `{parameter}`, got `{actual}`",
    help="pass `{expected}`, or widen the annotation of `{parameter}`",
    explanation="""\
The parameter's annotation does not admit the argument. Python itself ignores annotations, so the program still runs:
the call takes the general path. But readers and the native entry rely on the annotation, and it is not kept here.""",
    bad="""\
def double(n: int) -> int:
    return n + n


print(double("3"))
""",
    fixed="""\
def double(n: int) -> int:
    return n + n


print(double(3))
""",
    raised_by="check",
)

RETURN_TYPE = Code(
    code="E1102",
    slug="return-type",
    title="A function returns another type than it promises",
    message="`{function}` promises `{expected}`, but returns `{actual}` here",
    help="return `{expected}`, or change the annotation",
    explanation="""\
The return annotation does not admit the returned value. Falling off the end of a function returns None.""",
    bad="""\
def parity(n: int) -> str:
    if n % 2:
        return "odd"
    return 0
""",
    fixed="""\
def parity(n: int) -> str:
    if n % 2:
        return "odd"
    return "even"
""",
    raised_by="check",
)

ASSIGNMENT_TYPE = Code(
    code="E1103",
    slug="assignment-type",
    title="A value has another type than its variable declares",
    message="`{name}` is declared `{expected}`, but is given `{actual}`",
    help="give it `{expected}`, or change the annotation of `{name}`",
    explanation="""\
The variable carries an annotation, and the assigned value does not fit it.""",
    bad='total: int = "none"\n',
    fixed="total: int = 0\n",
    raised_by="check",
)

CALL_ARGUMENTS = Code(
    code="E1104",
    slug="call-arguments",
    title="A call does not fit the function's parameters",
    message="{problem}",
    help="the signature is `{signature}`",
    explanation="""\
An argument is missing, superfluous, given twice, or named wrongly. The call raises TypeError when it is reached.""",
    bad="""\
def area(width: int, height: int) -> int:
    return width * height


print(area(2))
""",
    fixed="""\
def area(width: int, height: int) -> int:
    return width * height


print(area(2, 3))
""",
    raised_by="check",
)

UNKNOWN_ATTRIBUTE = Code(
    code="E1105",
    slug="unknown-attribute",
    title="The object has no such attribute",
    message="`{type}` has no attribute `{name}`{suggestion}",
    help="this raises AttributeError when it is reached",
    explanation="""\
The type of the object is known and has no attribute of this name, and its instances cannot be given one.""",
    bad='print("abc".upcase())\n',
    fixed='print("abc".upper())\n',
    raised_by="check",
)

UNSUPPORTED_OPERAND = Code(
    code="E1106",
    slug="unsupported-operand",
    title="The operator is not defined for these types",
    message="`{operator}` is not defined between `{left}` and `{right}`",
    help="convert one side; this raises TypeError when it is reached",
    explanation="""\
Neither operand's type implements the operator for the other. Python would raise TypeError.""",
    bad='print("total: " + 3)\n',
    fixed='print("total: " + str(3))\n',
    raised_by="check",
)

UNDEFINED_NAME = Code(
    code="E1107",
    slug="undefined-name",
    title="A name is not defined",
    message="name `{name}` is not defined{suggestion}",
    help="this raises NameError when it is reached",
    explanation="""\
No assignment, import, definition or builtin gives this name a value, and the module neither imports `*` nor writes
to its globals in another way.""",
    bad="""\
def f() -> int:
    return cuont


print(f())
""",
    fixed="""\
count = 1


def f() -> int:
    return count


print(f())
""",
    raised_by="check",
)

UNBOUND_LOCAL = Code(
    code="E1108",
    slug="unbound-local",
    title="A local variable is read before it has a value",
    message="local variable `{name}` has no value here on any path",
    help="assign `{name}` first; this raises UnboundLocalError when it is reached",
    explanation="""\
A name that a function assigns anywhere is local to it everywhere, and never falls back to a global of that name.""",
    bad="""\
def f() -> int:
    total += 1
    return total


print(f())
""",
    fixed="""\
def f() -> int:
    total = 0
    total += 1
    return total


print(f())
""",
    raised_by="check",
)

NOT_CALLABLE = Code(
    code="E1109",
    slug="not-callable",
    title="The object cannot be called",
    message="`{type}` is not callable",
    help="this raises TypeError when it is reached",
    explanation="""\
Only functions, classes, and instances of classes that define `__call__` can be called.""",
    bad="""\
limit = 3
print(limit())
""",
    fixed="""\
limit = 3
print(limit)
""",
    raised_by="check",
)

NOT_ITERABLE = Code(
    code="E1110",
    slug="not-iterable",
    title="The object cannot be iterated",
    message="`{type}` is not iterable",
    help="this raises TypeError when it is reached",
    explanation="""\
A `for` loop, an unpacking or `in` needs an object with `__iter__` or `__getitem__`.""",
    bad="""\
for i in 3:
    print(i)
""",
    fixed="""\
for i in range(3):
    print(i)
""",
    raised_by="check",
)

NOT_SUBSCRIPTABLE = Code(
    code="E1111",
    slug="not-subscriptable",
    title="The object cannot be indexed so",
    message="`{type}` cannot be indexed with `{index}`",
    help="this raises TypeError when it is reached",
    explanation="""\
The type has no `__getitem__` (or `__setitem__`, `__delitem__`), or it does not take an index of this type.""",
    bad="""\
numbers = [1, 2, 3]
print(numbers["0"])
""",
    fixed="""\
numbers = [1, 2, 3]
print(numbers[0])
""",
    raised_by="check",
)

REJECTED_CALL = Code(
    code="E1113",
    slug="rejected-call",
    title="A call of a library is certain to fail",
    message="{reason}",
    help="the plugin that models the library says so",
    explanation="""\
A plugin knows that the library refuses this call whenever it is reached. The program still runs, and meets the
library's own exception there.""",
    bad="import tinylib\n\ntinylib.never()\n",
    fixed="import tinylib\n\nprint(tinylib.root(2.0))\n",
    raised_by="tests/plugins/test_tiny_plugin.py::test_a_rejected_call",
)

UNPACK_COUNT = Code(
    code="E1112",
    slug="unpack-count",
    title="An unpacking has the wrong number of targets",
    message="cannot unpack {actual} values into {expected} targets",
    help="this raises ValueError when it is reached",
    explanation="""\
The length of the tuple is known, and differs from the number of targets on the left.""",
    bad="""\
pair = (1, 2)
a, b, c = pair
print(a, b, c)
""",
    fixed="""\
pair = (1, 2)
a, b = pair
print(a, b)
""",
    raised_by="check",
)
