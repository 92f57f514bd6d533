"""The entry: the vectorcall that CPython calls on the function object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.infer.facts import Fact, Literal
from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I1, I32, I64, OBJECT, PTR
from ppy_compiler.lower.body import unbox
from ppy_compiler.lower.families import attempts, tests
from ppy_compiler.lower.fits import in_range, is_literal
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.lower.twin import return_call

if TYPE_CHECKING:
    from ppy_compiler.lower.function import FunctionLowering

OFFSET_FLAG = (1 << 63) - 1
"""Clears ``PY_VECTORCALL_ARGUMENTS_OFFSET`` from ``nargsf``."""


def lower_entry(fn: FunctionLowering) -> NativeBuilder:
    """``entry(func, args, nargsf, kwnames) -> object``."""
    native = NativeBuilder(
        fn.name("entry"),
        fn.key,
        "entry",
        (OBJECT, PTR, I64, OBJECT),
        (OBJECT,),
        cold=not fn.has_fast,
        plain=fn.plain,
    )
    return _Entry(fn, native).build()


class _Entry:
    def __init__(self, fn: FunctionLowering, native: NativeBuilder) -> None:
        self.fn = fn
        self.b = native
        self.count = len(fn.params)
        self.func, self.args, self.nargsf, self.kwnames = native.params
        self.slot = native.slot(PTR, "args")
        self.variadic = fn.source.vararg or fn.source.kwarg

    def build(self) -> NativeBuilder:
        b = self.b
        ready, bind = b.new_block("ready"), b.new_block("bind")
        if self.variadic:
            b.br(bind)
        else:
            self._fast_test(ready, bind)
        b.at(bind)
        self._bind(ready)
        b.at(ready)
        ctx = b.call1("ppy_ctx_get", [], PTR)
        fail, go = b.new_block(), b.new_block()
        b.cond_br(b.cmp("eq", ctx, b.const(None, PTR)), fail, go, likely=False)
        b.at(fail)
        b.ret(b.null())
        b.at(go)
        args = b.get(self.slot)
        if not self.variadic:
            for version in attempts(self.fn.family):
                other = b.new_block("other")
                self._call_fast(version, ctx, args, other)
                b.at(other)
        self._call_general(ctx, args)
        return b

    def _fast_test(self, ready: Block, bind: Block) -> None:
        """Exactly the positional arguments, by position."""
        b = self.b
        number = b.binary("and", self.nargsf, b.i64(OFFSET_FLAG))
        right = b.binary("and", b.cmp("eq", number, b.i64(self.count)), b.is_null(self.kwnames))
        if self.fn.source.kwonly:
            right = b.i1(False)
        valid = b.call1("ppy_entry_valid", [self.func, b.symbol(self.fn.record)], I32)
        right = b.binary("and", right, b.nonzero(valid))
        b.set(self.slot, self.args)
        b.cond_br(right, ready, bind, likely=True)

    def _bind(self, ready: Block) -> None:
        b = self.b
        out = b.array(8 * self.count or 8)
        original = b.new_block("original")
        b.set(self.slot, out)
        record = b.symbol(self.fn.record)
        valid, go = b.call1("ppy_entry_valid", [self.func, record], I32), b.new_block()
        b.cond_br(b.nonzero(valid), go, original, likely=True)
        b.at(go)
        bound = b.call1("ppy_bind_args", [record, self.func, self.args, self.nargsf, self.kwnames, out], I32)
        b.cond_br(b.cmp("eq", bound, b.i32(0)), ready, original, likely=True)
        b.at(original)
        b.ret(b.call1("ppy_call_original", [self.func, self.args, self.nargsf, self.kwnames], OBJECT))

    def _call_general(self, ctx: Value, args: Value) -> None:
        """General arguments: the twin takes over a reference to each (``*args`` and ``**kwargs`` are fresh
        already)."""
        b, fn = self.b, self.fn
        buffer = fn.frame.make(b)
        fresh = self.count - fn.source.vararg - fn.source.kwarg
        for index, param in enumerate(fn.params):
            value = b.load(args, 8 * index, OBJECT)
            if index < fresh:
                b.incref(value)
            b.store(buffer, fn.frame.place(param), value)
        context = (ctx, self.func) if fn.closes else (ctx,)
        word = b.i64(0)
        if not fn.headers:
            b.ret(b.call1(fn.name("twin"), [*context, word, buffer], OBJECT))
            return
        b.store(buffer, 0, word)
        return_call(fn, b, ctx, *b.call(fn.name("run"), [*context, buffer], *fn.fast_returns))

    def _call_fast(self, fn: FunctionLowering, ctx: Value, args: Value, other: Block) -> None:
        """Call a version, or go on at ``other`` where the arguments are not what it is for; constants tell most, and
        numbers are compared first."""
        b = self.b
        natives: dict[int, Value] = {}
        for index, param in sorted(enumerate(fn.params), key=lambda given: _rank(fn, *given)):
            value, kind, literal = b.load(args, 8 * index, OBJECT), fn.plan.reprs[param], fn.facts.literal(index)
            if kind is not Repr.OBJ:
                value = self._unbox(value, kind, fn.facts.params[index], literal, other)
            elif len(self.fn.family) > 1:
                said = literal.value if literal is not None else None
                text = self.fn.unit.constant(said) if isinstance(said, str) else None
                for ok in tests(b, value, fn.facts.params[index], text):
                    self._require(ok, other)
            natives[index] = value
        if fn.depends:
            self._require(b.call(fn.name("valid"), [], I1, convention="fast")[0], other)
        context = (ctx, self.func) if fn.closes else (ctx,)
        given = [*context, *(natives[index] for index in range(self.count))]
        return_call(fn, b, ctx, *b.call(fn.name("fast"), given, *fn.fast_returns, convention="fast"))

    def _require(self, ok: Value, other: Block) -> None:
        go = self.b.new_block()
        self.b.cond_br(ok, go, other, likely=True)
        self.b.at(go)

    def _unbox(self, value: Value, kind: Repr, fact: Fact, literal: Literal | None, other: Block) -> Value:
        b = self.b
        payload, ok = unbox(b, value, kind)
        self._require(ok, other)
        fits = is_literal(b, payload, kind, literal.value) if literal is not None else in_range(b, payload, kind, fact)
        if fits is not None:
            self._require(fits, other)
        return payload


def _rank(fn: FunctionLowering, index: int, param: Value) -> tuple[bool, bool]:
    """When a parameter is looked at."""
    return index not in fn.facts.constants, param not in fn.pinned
