"""The shape of what is built, as text."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from ppy_compiler.dialects.py.functions import Func

Text = Callable[..., str]
Functions = Callable[[str], dict[str, Func]]


def test_a_loop_carries_what_it_changes_and_nothing_else(text: Text) -> None:
    source = dedent("""\
        def f(n, step):
            total = 0
            i = 0
            while i < n:
                total += i
                i += step
            return total
        """)
    printed = text(source)
    assert "^while(%i: object, %total: object):" in printed
    assert "py.check_bound" not in printed


def test_a_name_bound_on_one_path_only_is_tested(text: Text) -> None:
    printed = text("def f(c):\n if c:\n  x = 1\n return x\n")
    assert printed.count("py.check_bound") == 1
    assert "{var='x'}" in printed


def test_an_argument_needs_no_test_and_is_dropped_at_the_end(text: Text) -> None:
    assert text("def f(a):\n return a.b\n") == dedent("""\
        ^entry(%a: object):
          %0 = py.getattr(%a) {attribute='b'}
          py.drop(%a) {var='a'}
          py.return(%0)""")


def test_the_handler_sees_the_variables_of_the_raising_operation(text: Text) -> None:
    printed = text("def f(g):\n x = 1\n try:\n  g()\n  x = 2\n  g()\n except E:\n  pass\n return x\n")
    assert printed.count("unwind ^except(") == 2
    arguments = {line.split("unwind ^except(")[1] for line in printed.splitlines() if "unwind ^except(" in line}
    assert len(arguments) == 2


def test_the_old_value_goes_after_the_new_one_is_stored(text: Text) -> None:
    lines = text("def f(a, b):\n a = b.c\n return 1\n").splitlines()
    get, drop = (next(i for i, line in enumerate(lines) if name in line) for name in ("py.getattr", "py.drop(%a)"))
    assert get < drop
    assert sum("py.drop" in line for line in lines) == 3


def test_parallel_assignment_makes_no_tuple(text: Text) -> None:
    printed = text("def f(a, b):\n a, b = b, a\n return a\n")
    assert "tuple" not in printed
    assert "unpack" not in printed
    assert "py.build_tuple" in text("def f(a, b):\n c = a, b = b, a\n return c\n")


def test_conditions_are_control_flow(text: Text) -> None:
    printed = text("def f(a, b, c):\n if a and not b or c is None:\n  return 1\n return 2\n")
    assert "py.from_bool" not in printed
    assert printed.count("cf.cond_br") == 3
    assert "^entry" in text("def f():\n if 0 or not __debug__:\n  return 1\n while True:\n  pass\n")
    assert "py.return" not in text("def f():\n if 0 or not __debug__:\n  return 1\n while True:\n  pass\n")


def test_finally_is_built_once_per_way_out(text: Text) -> None:
    source = "def f(g, x):\n for i in g:\n  try:\n   if x: return 1\n   if i: continue\n   break\n  finally:\n   g()\n"
    # Return, continue, break and the exception; nothing falls through.
    assert text(source).count("py.call(%g") == 4


def test_handling_ends_on_every_way_out(text: Text) -> None:
    printed = text("def f(g):\n try:\n  g()\n except E as e:\n  if g: return 1\n  g()\n")
    assert printed.count("py.push_exc") == 1
    # The return, the end of the clause, no match, an exception inside.
    assert printed.count("py.pop_exc") == 4


def test_cells_only_where_an_inner_function_shares(functions: Functions) -> None:
    found = functions("def f(a, b):\n c = 1\n def g():\n  return a + c\n return g, b\n")
    assert (found["f"].cellvars, found["f.<locals>.g"].freevars) == (("a", "c"), ("a", "c"))
    names = [op.name for block in found["f"].body.blocks for op in block.ops]
    assert names.count("py.make_cell") == 2
    assert "py.load_cell" not in names


def test_constants_fold_as_cpython_folds_them(text: Text) -> None:
    assert "literal=(1, -2, (3, 'ab'), 7)" in text("def f():\n return 1, -2, (3, 'a' 'b'), 3 + 4\n")
    assert "py.binary" in text("def f():\n return 1 / 0\n")
    assert "py.binary" in text("def f():\n return 10 ** 100\n")
    assert "literal=frozenset(1)" in text("def f(x):\n return x in {1}\n")


def test_variables_of_an_inlined_comprehension_are_its_own(text: Text) -> None:
    printed = text("def f(x, y):\n z = [x for x in y]\n return x, z\n")
    assert "py.build_tuple([%x, " in printed
