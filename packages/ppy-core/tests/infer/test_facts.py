"""The order of facts: what joining, narrowing and widening keep."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from ppy_compiler.infer import Fact, atoms, ranges
from ppy_compiler.infer.facts import (
    NEVER,
    NONE_FACT,
    OBJECT,
    UNBOUND,
    boolean,
    bounded,
    constant,
    container,
    integer,
    of_types,
    tuple_of,
)
from ppy_compiler.infer.lattice import join, meet, widen, without, word

VALUES = st.recursive(
    st.one_of(
        st.integers(-5, 5), st.booleans(), st.floats(), st.none(), st.text(max_size=2), st.binary(max_size=2),
        st.sampled_from([1 << 63, (1 << 64) - 1, -(1 << 63)]),
    ),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)  # fmt: skip


@given(a=VALUES, b=VALUES, c=VALUES)
def test_join_covers(contains: Callable[[Fact, object], bool], a: object, b: object, c: object) -> None:
    joined = join(join(constant(a), constant(b)), constant(c))
    assert all(contains(joined, value) for value in (a, b, c))
    assert join(joined, constant(a)) == joined


@given(a=VALUES, b=VALUES)
def test_meet_keeps_what_both_have(contains: Callable[[Fact, object], bool], a: object, b: object) -> None:
    wide = join(constant(a), constant(b))
    assert contains(meet(wide, constant(a)), a)
    assert contains(meet(OBJECT, wide), a)


@given(a=VALUES, b=VALUES)
def test_word_and_widen_cover(contains: Callable[[Fact, object], bool], a: object, b: object) -> None:
    old = constant(a)
    new = join(old, constant(b))
    assert contains(widen(old, new, [0, 100]), b)
    if isinstance(a, int) and ranges.within((a, a), ranges.I64):
        assert contains(word(old), a)


def test_equal_values_of_different_types_differ() -> None:
    assert constant(1) != constant(True)
    assert constant(0.0) != constant(-0.0)
    assert constant(float("nan")) == constant(float("nan"))
    assert join(constant(0.0), constant(-0.0)).literal is None


def test_kinds() -> None:
    assert integer().kind == "int"
    assert integer().exact
    assert join(integer(), NONE_FACT).kind == "int"
    assert join(integer(), NONE_FACT).optional
    assert join(integer(), of_types(atoms.FLOAT)).kind == "object"
    assert join(integer(), UNBOUND).nullable
    assert not OBJECT.exact
    assert NEVER.never
    assert constant((1, 2)).length == 2
    assert constant("abc").length == 3
    assert container(atoms.LIST, integer()).length is None


def test_words() -> None:
    assert integer(0, (1 << 64) - 1).fits_word
    assert not integer(0, (1 << 64) - 1).signed
    assert integer(-1, 5).signed
    assert not integer(-1, 1 << 63).fits_word
    assert word(constant(7)).range == ranges.I64
    assert word(boolean(1, 1)).range == (0, 1)


def test_narrowing_by_type() -> None:
    either = join(integer(0, 9), NONE_FACT)
    assert without(either, atoms.NONE) == integer(0, 9)
    assert meet(either, of_types(atoms.NONE)).types == atoms.NONE
    assert meet(integer(0, 9), integer(20, 30)).never
    assert meet(integer(0, 9), integer(9, 30)).literal is not None


def test_facts_do_not_grow_forever() -> None:
    fact = tuple_of(())
    for _ in range(20):
        fact = tuple_of((fact, integer(0, 0)))
    assert str(bounded(fact)).count("tuple") <= 4


def test_text() -> None:
    assert str(integer(0, 9)) == "int[0..9]"
    assert str(integer(*ranges.I64)) == "int[i64]"
    assert str(constant((1, "a"))) == "tuple[int(1), str('a')]"
    assert str(container(atoms.DICT, of_types(atoms.STR), integer())) == "dict[str, int]"
    assert str(join(of_types(atoms.FLOAT), NONE_FACT)) == "float | None"
