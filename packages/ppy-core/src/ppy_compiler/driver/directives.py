"""What the directives of a module's functions did, for `ppy explain`: said by the tables of lowering, not guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ppy_compiler.dialects.py import operators
from ppy_compiler.dialects.py.directives import CodeDirectives, code_directives
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.driver import stages
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.driver.session import Session
from ppy_compiler.infer.versions import may_split
from ppy_compiler.ir import Operation
from ppy_compiler.lower.function import FunctionLowering
from ppy_compiler.lower.inlining import expanded
from ppy_compiler.lower.ops.numbers import FLOATS
from ppy_compiler.lower.regions import Outline
from ppy_compiler.lower.reprs import Repr
from ppy_compiler.lower.unit import UnitLowering
from ppy_compiler.support.source import Source

NOTHING = CodeDirectives()


def effects(session: Session, source: Source) -> dict[str, tuple[str, ...]]:
    """One line for each directive about code, by the `sym` of the function."""
    code = stages.compiled(source)
    module = stages.python_ir(source, MAIN, code)
    functions = [op for op in module.body.entry.ops if isinstance(op, Func)]
    asked = {op.sym: found for op in functions if (found := code_directives(op.directives)) != NOTHING}
    if not asked:
        return {}
    plugins = session.plugins_for(source.path)
    facts = stages.typed(stages.structured(module, plugins), plugins)
    with stages.stage("looking at directives"):
        unit = UnitLowering(module, facts, code, session.options_for(source.path))
        return {sym: tuple(_lines(unit, unit.families.get(sym, ()), found)) for sym, found in asked.items()}


def _lines(unit: UnitLowering, versions: tuple[FunctionLowering, ...], asked: CodeDirectives) -> Iterator[str]:
    nothing = ""
    if not versions:
        nothing = "nothing, the function runs as Python"
    elif not versions[0].has_fast:
        nothing = "nothing, the function holds no number in a register, and general code is not optimised"
    if asked.level is not None:
        yield f"@ppy.opt({asked.level}): {nothing or f'optimised at level {asked.level}'}"
    if asked.inline:
        yield f"@ppy.inline: {nothing or _expanded(unit, versions)}"
    if asked.noinline:
        yield f"@ppy.noinline: {nothing or 'no call of it is expanded'}"
    if asked.fastmath:
        yield f"@ppy.fastmath: {nothing or _relaxed(versions)}"
    if asked.parallel:
        yield f"@ppy.parallel: {nothing or _on_threads(versions)}"
    if asked.specialize:
        yield f"@ppy.specialize: {nothing or _specialized(versions)}"


def _expanded(unit: UnitLowering, versions: tuple[FunctionLowering, ...]) -> str:
    callers = Counter(
        fn.source.qualname
        for fn in unit.functions.values()
        for callee in fn.direct.values()
        if callee in versions and fn is not callee and expanded(callee, in_copy=False)
    )
    places = ", ".join(f"{name}{f' ({count} calls)' if count > 1 else ''}" for name, count in callers.items())
    return f"expanded in {places}" if places else "no native function of the module calls it directly"


def _on_threads(versions: tuple[FunctionLowering, ...]) -> str:
    lines: set[int] = set()
    for fn in versions:
        outline = Outline(fn)
        outline.lower()
        spans = [region.parallel.loop.begin.span for region in outline.regions.values()]
        lines |= {span.line for span in spans if span is not None}
    places = ", ".join(map(str, sorted(lines)))
    return f"runs on threads where it is long enough: line {places}" if places else "no loop is eligible"


def _specialized(versions: tuple[FunctionLowering, ...]) -> str:
    if not may_split(versions[0].source):
        return "nothing, a function that makes functions, or takes `*args` or `**kwargs`, has one version"
    count = sum(bool(fn.facts.constants) for fn in versions)
    return f"versions with constants: {count}" if count else "no call in the module passes a constant"


def _relaxed(versions: tuple[FunctionLowering, ...]) -> str:
    ops = [op for block in versions[0].source.body.blocks for op in block.ops]
    count = sum(any(_is_float(op, fn) for fn in versions) for op in ops)
    return f"float operations that may be reassociated and contracted: {count}"


def _is_float(op: Operation, fn: FunctionLowering) -> bool:
    if isinstance(op, operators.Binary):
        return op.kind in FLOATS and Repr.F64 in {fn.plan.reprs[value] for value in op.operands}
    return isinstance(op, operators.Unary) and op.kind == "-" and fn.plan.reprs[op.argument] is Repr.F64
