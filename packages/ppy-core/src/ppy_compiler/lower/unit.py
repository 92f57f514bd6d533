"""Lowering a module: the functions that become native, and the tables they share."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from types import CodeType
from typing import TYPE_CHECKING, Any

from ppy_compiler.backends.interface import Options, Piece, Unit, UnitFunction
from ppy_compiler.dialects import builtin, func
from ppy_compiler.dialects.func import BUILTIN_PREFIX, EXTERN_PREFIX, LIBRARY_PREFIX
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.names import DelGlobal, LoadGlobal, StoreGlobal
from ppy_compiler.ir import Block, Operation, Region
from ppy_compiler.ir.types import I32, I64, OBJECT, PTR
from ppy_compiler.lower.closure import close
from ppy_compiler.lower.drops import forget_unnoticed
from ppy_compiler.lower.families import lower_family
from ppy_compiler.lower.function import FunctionLowering
from ppy_compiler.lower.inlining import copies
from ppy_compiler.lower.native import NativeBuilder
from ppy_compiler.lower.offsets import code_at, nested_codes
from ppy_compiler.lower.pieces import PieceStore
from ppy_compiler.lower.symbols import Builtin, Extern, Library

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ppy_compiler.infer.results import ModuleFacts

STRESS_VARIABLE = "PPY_FAIL_GUARDS"
"""Set: guards fail at random, and the code for that is compiled in."""


LARGE = 4000
"""Operations of a unit from which on only what looks intense is optimised hard; ``-O3`` always does."""


def lower_module(
    module: builtin.Module, facts: ModuleFacts, code: CodeType, options: Options, store: PieceStore | None = None
) -> Unit:
    """Native IR for ``module``, whose source CPython compiles to ``code``. Facts are those of ``infer.analyze``.
    Functions whose pieces are in ``store`` are not lowered again."""
    return UnitLowering(module, facts, code, options, store).lower()


class UnitLowering:
    """Constants, global cells and functions of one unit."""

    def __init__(
        self,
        module: builtin.Module,
        facts: ModuleFacts,
        code: CodeType,
        options: Options,
        store: PieceStore | None = None,
    ) -> None:
        self.module = module
        self.facts = facts
        self.code = code
        self.options = options
        self.stress = STRESS_VARIABLE in os.environ
        self.store = store
        self._constants: dict[str, object] = {}
        self._used: dict[str, object] = {}
        self._code_numbers = {id(c): n for n, c in enumerate(nested_codes(code))}
        self._deep: set[bool] = set()
        ops = [op for op in module.body.entry.ops if isinstance(op, Func)]
        self.sources = {op.sym: op for op in ops}
        self.cells = number_cells(op for op in ops if not op.native)
        self.families: dict[str, tuple[FunctionLowering, ...]] = {}
        for op in ops:
            if not op.native:
                forget_unnoticed(op.body, facts.functions[op.sym].values)
                self.families[op.sym] = lower_family(self, op)
        self.functions = {fn.key: fn for family in self.families.values() for fn in family}
        close(self.functions)
        work = sum(fn.size for fn in self.functions.values() if fn.has_fast)
        self.large = work > LARGE

    # Tables

    def mangle(self, sym: str) -> str:
        return "module" if sym == "<module>" else sym

    def record(self, sym: str) -> str:
        """The symbol of what the runtime knows of a function."""
        return f"rec.{self.mangle(sym)}"

    def constant(self, literal: Any) -> str:
        """The symbol of a pointer to the constant object."""
        if isinstance(literal, Builtin):
            self._used.setdefault(BUILTIN_PREFIX + literal, str(literal))
            return BUILTIN_PREFIX + literal
        if isinstance(literal, Library):
            self._used.setdefault(LIBRARY_PREFIX + literal, str(literal))
            return LIBRARY_PREFIX + literal
        if isinstance(literal, Extern):
            symbol = EXTERN_PREFIX + ":".join(literal)
            self._used.setdefault(symbol, tuple(literal))
            return symbol
        content = f"{type(literal).__name__}:".encode() + marshal.dumps(literal, 2)
        if isinstance(literal, frozenset):
            content = repr(sorted(map(repr, literal))).encode() + b"frozenset"
        symbol = f"const.{hashlib.sha256(content).hexdigest()[:16]}"
        self._used.setdefault(symbol, literal)
        return symbol

    def builtin(self, name: str) -> object:
        """The constant that stands for a built-in object, by its model's name."""
        return Builtin(name)

    def cell(self, name: str) -> int:
        """The index of the cell of a module-level name."""
        return self.cells[name]

    def code_number(self, source: Func) -> int:
        return self._code_numbers[id(code_at(self.code, source.code))]

    def deep(self, closes: bool) -> str:
        """The helper that runs a twin on a fresh stack segment."""
        self._deep.add(closes)
        return "deep.closure" if closes else "deep.plain"

    # The whole

    def lower(self) -> Unit:
        block = Block()
        out = builtin.Module(Region([block]), sym=self.module.sym, path=self.module.path)
        pieces = [piece for fn in self.functions.values() if (piece := self._lower(fn, block)) is not None]
        self._add_copies({piece.source for piece in pieces}, block)
        for closes in sorted(self._deep):
            for helper in lower_deep(closes):
                block.append(helper.func)
        block.append(self._descriptor())
        return Unit(
            name=self.module.sym,
            source_path=self.module.path,
            module=out,
            functions=tuple(self._unit_function(op) for op in self.sources.values()),
            python=sys.implementation.cache_tag,
            pieces=tuple(pieces),
        )

    def _lower(self, fn: FunctionLowering, block: Block) -> Piece | None:
        """Put the native functions of ``fn`` into ``block``, or what stands for them; the piece if they are new."""
        key = self.store.key(fn) if self.store is not None else ""
        known = self.store.load(fn.key, key) if self.store is not None else None
        if known is not None:
            self._constants.update(known.constants)
            self._deep.update(known.deep)
            block.append(func.Stored(sym=f"stored.{fn.symbol}", source=fn.key, objects=known.objects))
            return None
        deep, self._used, self._deep = self._deep, {}, set()
        for builder in fn.lower():
            block.append(builder.func)
        for data in fn.data():
            block.append(data)
        piece = Piece(fn.key, key, tuple(self._used.items()), tuple(sorted(self._deep)))
        self._constants.update(self._used)
        self._deep |= deep
        return piece

    def _add_copies(self, lowered: set[str], block: Block) -> None:
        """What functions that were ``lowered`` now expand in place of calls of stored ones."""
        wanted = [fn for sym in lowered for fn in copies(self.functions[sym])]
        for fn in sorted({fn.key: fn for fn in wanted}.values(), key=lambda fn: fn.key):
            if fn.key in lowered:
                continue
            deep, self._deep = self._deep, set()  # what they use is in the pieces of those they are copies of
            for builder in fn.lower():
                if builder.func.inline == "always":
                    block.append(builder.func)
            for data in fn.data():
                block.append(data)
            self._deep = deep

    def _unit_function(self, op: Func) -> UnitFunction:
        versions = tuple(fn.facts.version for fn in self.families.get(op.sym, ()) if fn.facts.version)
        return UnitFunction(op.sym, op.qualname, op.code, not op.native, op.native, versions)

    def _descriptor(self) -> Operation:
        records = []
        for fn, *_ in self.families.values():
            op = fn.source
            entry = "" if op.kind == "module" else fn.name("entry")
            records.append((fn.record, entry, self.code_number(op), op.vararg, op.kwarg, len(fn.params)))
        body = self.functions.get("<module>")
        return func.Unit(
            constants=tuple(self._constants.items()),
            cells=tuple(self.cells),
            records=tuple(records),
            body=body.name("start") if body else "",
        )


def number_cells(functions: Iterable[Func]) -> dict[str, int]:
    """The module-level names that native functions use, numbered in the order of the source: the numbers do not
    depend
    on which of the functions are lowered."""
    numbers: dict[str, int] = {}
    for function in functions:
        for block in function.body.blocks:
            for op in block.ops:
                if isinstance(op, LoadGlobal | StoreGlobal | DelGlobal):
                    numbers.setdefault(op.var, len(numbers))
    return numbers


def lower_deep(closes: bool) -> list[NativeBuilder]:
    """``deep(ctx, func, twin, point, live) -> object`` and its trampoline: one call of a twin on a fresh stack
    segment."""
    name = "deep.closure" if closes else "deep.plain"
    outer = NativeBuilder(name, "", "deep", (PTR, OBJECT, PTR, I64, PTR), (OBJECT,), cold=True)
    frame = outer.array(48)
    for index, value in enumerate(outer.params):
        outer.store(frame, 8 * index, value)
    done = outer.call1("ppy_call_on_new_stack", [outer.params[0], outer.symbol(f"{name}.run"), frame], I32)
    failed, go = outer.new_block("failed"), outer.new_block()
    outer.cond_br(outer.cmp("slt", done, outer.i32(0)), failed, go, likely=False)
    outer.at(failed)
    outer.ret(outer.null())
    outer.at(go)
    outer.ret(outer.load(frame, 40, OBJECT))
    inner = NativeBuilder(f"{name}.run", "", "deep", (PTR,), (), cold=True)
    given = inner.params[0]
    ctx, function, twin = inner.load(given, 0, PTR), inner.load(given, 8, OBJECT), inner.load(given, 16, PTR)
    point, live = inner.load(given, 24, I64), inner.load(given, 32, PTR)
    context = (ctx, function) if closes else (ctx,)
    inner.store(given, 40, inner.call_pointer(twin, [*context, point, live], OBJECT)[0])
    inner.ret()
    return [outer, inner]
