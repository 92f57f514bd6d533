"""Literals and the parser's errors; the text of whole files is in the filetests."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ppy_compiler.dialects import dump, load
from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.py.functions import Func, Return
from ppy_compiler.dialects.py.names import Const
from ppy_compiler.ir import Block, Region
from ppy_compiler.ir.literals import format_literal, same_literal
from ppy_compiler.ir.parser import ParseError
from ppy_compiler.ir.types import I64, Type

LEAVES = st.one_of(
    st.none(), st.booleans(), st.just(...), st.integers(), st.integers(min_value=2**70), st.floats(),
    st.complex_numbers(), st.text(st.characters()), st.binary(), st.just(Type("vector", (I64, 4, -1))),
)
NESTED = st.recursive(LEAVES, lambda i: st.one_of(st.tuples(i), st.lists(i).map(tuple), st.frozensets(i)))


def module_of(literal: Any) -> Module:
    constant = Const(literal=literal)
    block = Block()
    block.append(constant)
    block.append(Return(constant.value))
    module = Module(Region([Block()]), sym="m")
    module.body.entry.append(Func(Region([block]), sym="f", qualname="f"))
    return module


@given(NESTED)
def test_every_literal_reads_back(literal: Any) -> None:
    text = dump(module_of(literal))
    read: Any = load(text)
    assert dump(read) == text
    assert same_literal(read.body.entry.ops[0].body.entry.ops[0].literal, literal)


def test_literals_that_only_look_alike_differ() -> None:
    zeros = [(0.0, -0.0), ((0.0,), (-0.0,)), (complex(0, 0), complex(0, -0.0))]
    for a, b in [(1, True), (1, 1.0), ("a", b"a"), (0, None), *zeros]:
        assert not same_literal(a, b)
    assert same_literal(math.nan, float("nan"))


def test_what_is_no_literal_is_refused() -> None:
    with pytest.raises(TypeError, match="list is not a literal"):
        format_literal([1])


WRONG = {
    "there is no operation py.nothing": "builtin.module {sym='m'} {\n^0:\n  py.nothing\n}",
    "unexpected '?'": "?",
    "%a is not defined": "builtin.module {sym='m'} {\n^0:\n  py.return(%a)\n}",
    "^1 is not defined": "builtin.module {sym='m'} {\n^0:\n  cf.br [^1]\n}",
    "^0 is defined twice": "builtin.module {sym='m'} {\n^0:\n^0:\n}",
    "%a is defined twice": "builtin.module {sym='m'} {\n^0(%a: object, %a: object):\n}",
    "py.const has 1 results, not 2": "builtin.module {sym='m'} {\n^0:\n  %a, %b = py.const {literal=1}\n}",
    "needs the types of its results": "builtin.module {sym='m'} {\n^0(%i: object):\n  %a, %b = py.unpack(%i)\n}",
    "has 3 operand fields": "builtin.module {sym='m'} {\n^0(%i: object):\n  %a = py.build_slice(%i)\n}",
    "takes one operand": "builtin.module {sym='m'} {\n^0(%i: object):\n  %a = py.build_slice([], %i, _)\n}",
    "one top-level operation": "builtin.module {sym='m'} {\n^0:\n}\nbuiltin.module {sym='n'} {\n^0:\n}",
    "text format 1 expected": "ppyir 2: py 1\n",
    "dialect py has version 1 here, not 7": "ppyir 1: py 7\n",
}


@pytest.mark.parametrize(("message", "text"), WRONG.items())
def test_errors_say_what_is_wrong(message: str, text: str) -> None:
    with pytest.raises(ParseError) as caught:
        load(text)
    assert message in str(caught.value)


def test_errors_say_where() -> None:
    with pytest.raises(ParseError, match=r"^3:6: a literal expected, found 'zzz'"):
        load("builtin.module\n{sym=\n     zzz}")
