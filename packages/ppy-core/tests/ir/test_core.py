"""Use lists, dominance, liveness, insertion points, rewriting."""

from __future__ import annotations

from typing import Any

import pytest
from ppy_compiler.dialects import load
from ppy_compiler.dialects.py.functions import Return
from ppy_compiler.dialects.py.names import Const
from ppy_compiler.dialects.py.operators import Binary, Unary
from ppy_compiler.ir import Block, Operation, Successor, Use, Value
from ppy_compiler.ir.builder import Builder
from ppy_compiler.ir.dominance import Dominance
from ppy_compiler.ir.edges import drop_argument, incoming, operand_for
from ppy_compiler.ir.liveness import Liveness, reachable
from ppy_compiler.ir.rewrite import Rewriter, apply_patterns
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.ir.verifier import VerifyError, verify
from ppy_compiler.support.spans import Span

DIAMOND = """
builtin.module {sym='m'} {
^0:
  py.func {sym='f', qualname='f'} {
  ^entry(%a: object):
    %b = py.unary(%a) {kind='-'}
    %t = py.truth(%b) unwind ^handler(%b)
    %c = py.unary(%a) {kind='+'}
    cf.cond_br(%t) [^left, ^right]
  ^left:
    cf.br [^join(%b)]
  ^right:
    cf.br [^join(%c)]
  ^join(%j: object):
    py.return(%j)
  ^handler(%e: object, %h: object):
    py.return(%h)
  ^nowhere:
    py.return(%a)
  }
}
"""


def function(text: str = DIAMOND) -> Any:
    module: Any = load(text)
    return module.body.entry.ops[0]


def named(func: Any) -> dict[str, Block]:
    return {block.hint: block for block in func.body.blocks}


def test_uses_follow_every_change() -> None:
    block = Block([OBJECT, OBJECT])
    a, b = block.args
    op = Binary(a, a, kind="+")
    edge = Successor(Block([OBJECT]), [a])
    assert list(a.uses) == [Use(op, 0), Use(op, 1), Use(edge, 0)]
    op.set_operand(1, b)
    assert list(b.uses) == [Use(op, 1)]
    a.replace_all_uses(b)
    assert not a.uses
    assert set(b.uses) == {Use(op, 0), Use(op, 1), Use(edge, 0)}
    op.erase()
    edge.set_operands([])
    assert not b.uses


def test_dominance_counts_edges_out_of_the_middle() -> None:
    func = function()
    blocks = named(func)
    dominance = Dominance(func.body)
    b, t, c, _ = blocks["entry"].ops
    in_handler, in_join = blocks["handler"].ops[0], blocks["join"].ops[0]
    assert dominance.available(b.results[0], in_handler)
    assert not dominance.available(t.results[0], in_handler)
    assert not dominance.available(c.results[0], in_handler)
    assert dominance.available(c.results[0], in_join)
    assert not dominance.available(blocks["left"].ops[0], in_join)  # type: ignore[arg-type]
    assert dominance.dominates(blocks["entry"], blocks["join"])
    assert not dominance.dominates(blocks["left"], blocks["join"])
    assert not dominance.reachable(blocks["nowhere"])


def test_liveness_counts_handlers() -> None:
    func = function()
    blocks = named(func)
    liveness = Liveness(func.body)
    b, t, c, _ = (op.results[0] if op.results else None for op in blocks["entry"].ops)
    assert liveness.live_in[blocks["left"]] == {b}
    assert liveness.live_in[blocks["right"]] == {c}
    assert blocks["nowhere"] not in reachable(func.body)
    deaths = {op.name: dead for op, _, dead in liveness.backwards(blocks["entry"])}
    assert deaths["cf.cond_br"] == {b, c, t}


def test_edges_into_a_block() -> None:
    func = function()
    blocks = named(func)
    edges = incoming(func.body)
    assert len(edges[blocks["join"]]) == 2
    (unwinding,) = edges[blocks["handler"]]
    assert operand_for(unwinding, 0) is None
    assert operand_for(unwinding, 1) == 0
    blocks["handler"].args[1].replace_all_uses(blocks["handler"].args[0])
    drop_argument(blocks["handler"], 1, [unwinding])
    verify(func)


def test_builder_inserts_where_it_stands() -> None:
    func = function()
    entry = func.body.entry
    span = Span(1, 2, 3, 4)
    entry.ops[1].span = span
    before = Builder.at(entry.ops[1])
    first = before.add(Const(literal=1))
    second = before.add(Const(literal=2))
    assert entry.ops[1:3] == [first, second]
    assert second.span == span
    after = Builder.after(first).add(Const(literal=3))
    assert entry.ops[2] is after
    with before.elsewhere(func.body.blocks[-1]):
        last = before.add(Const(literal=4))
    assert func.body.blocks[-1].ops[-1] is last


def test_patterns_apply_until_none_matches() -> None:
    def cancel(op: Unary, rewriter: Rewriter) -> bool:
        inner = getattr(op.argument, "op", None)
        if not isinstance(inner, Unary) or op.kind != "-" or inner.kind != "-":
            return False
        rewriter.replace(op, None, [inner.argument])
        return True

    block = Block([OBJECT])
    value: Value = block.args[0]
    for _ in range(7):
        op = Unary(value, kind="-")
        block.append(op)
        value = op.value
    block.append(Return(value))
    assert apply_patterns(_wrap(block), {Unary: [cancel]})
    last: Any = block.ops[-1].operands[0]
    assert last.op.argument is block.args[0]  # Seven negations are one.


def _wrap(block: Block) -> Operation:
    func: Any = function()
    func.body.blocks[:] = []
    func.body.append(block)
    verified: Operation = func
    return verified


def test_patterns_that_undo_each_other_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppy_compiler.ir.rewrite.MAX_STEPS", 100)

    def flip(op: Unary, rewriter: Rewriter) -> bool:
        fresh = Unary(op.argument, kind="+" if op.kind == "-" else "-")
        rewriter.replace(op, fresh, [fresh.value])
        return True

    with pytest.raises(RuntimeError, match="undo each other"):
        apply_patterns(function(), {Unary: [flip]})


def test_the_verifier_names_broken_links() -> None:
    func = function()
    func.body.blocks[1].ops[0].parent = None
    func.body.blocks[2].parent = None
    with pytest.raises(VerifyError) as caught:
        verify(func)
    text = str(caught.value)
    assert "does not know its block" in text
    assert "does not know its region" in text
    assert "leaves its region" in text
