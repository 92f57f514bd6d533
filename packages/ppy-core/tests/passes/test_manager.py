"""Pipelines: order, the verifier, who is to blame."""

from __future__ import annotations

from typing import Any

import pytest
from ppy_compiler.dialects import load
from ppy_compiler.ir.core import Operation
from ppy_compiler.passes import BrokenPass, Ordering, Pass, WrongOrder, pipeline
from ppy_compiler.passes.table import ORDER, TABLE

TEXT = """
builtin.module {sym='m'} {
^0:
  py.func {sym='f', qualname='f'} {
  ^0(%a: object):
    %b = py.unary(%a) {kind='-'}
    py.return(%b)
  }
  py.func {sym='g', qualname='g'} {
  ^0(%a: object):
    py.return(%a)
  }
}
"""


def drop_terminators(module: Any) -> None:
    for func in module.body.entry.ops:
        func.body.entry.ops[-1].erase()


def test_every_ordering_names_passes_that_exist() -> None:
    for rule in ORDER:
        assert {rule.earlier, rule.later} <= TABLE.keys()
        assert rule.because


def test_the_table_is_in_order() -> None:
    pipeline(list(TABLE), TABLE, ORDER).run(load(TEXT), verify_each=True)


def test_a_wrong_order_is_refused_with_its_reason() -> None:
    order = [Ordering("canonicalize", "remove-dead-code", "it leaves dead code")]
    with pytest.raises(WrongOrder, match="canonicalize must come before remove-dead-code: it leaves dead code"):
        pipeline(["remove-dead-code", "canonicalize"], TABLE, order)
    with pytest.raises(WrongOrder, match="no pass 'nothing'"):
        pipeline(["nothing"], TABLE)


def test_a_pass_that_breaks_ir_is_named() -> None:
    broken = Pass("cut", drop_terminators, "", owner="third-party")
    calm = Pass("calm", lambda module: None, "")
    with pytest.raises(BrokenPass) as caught:
        pipeline(["cut", "calm"], {"cut": broken, "calm": calm}).run(load(TEXT), verify_each=True)
    error = caught.value
    assert (error.code, error.pass_name, error.owner) == ("E1902", "cut", "third-party")
    assert "terminator" in error.problem
    with pytest.raises(BrokenPass, match="`calm`"):
        pipeline(["cut", "calm"], {"cut": broken, "calm": calm}).run(load(TEXT))


def test_a_pass_that_fails_is_named() -> None:
    def fail(module: Operation) -> None:
        raise KeyError("oops")

    with pytest.raises(BrokenPass, match="`fail` of `ppy` left invalid IR: KeyError: 'oops'"):
        pipeline(["fail"], {"fail": Pass("fail", fail, "")}).run(load(TEXT))


def test_broken_input_is_nobodys_pass() -> None:
    module = load(TEXT)
    drop_terminators(module)
    with pytest.raises(BrokenPass, match="before the first pass"):
        pipeline([], TABLE).run(module)


def test_a_function_pass_sees_each_function() -> None:
    seen: list[str] = []
    one = Pass("look", lambda op: seen.append(op.attributes["sym"]), "", each_function=True)
    pipeline(["look"], {"look": one}).run(load(TEXT))
    assert seen == ["f", "g"]
