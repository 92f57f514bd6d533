"""Whether a lowering spec can be followed: operations that exist, operands that fit them, signatures that C has."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Container
from functools import cache
from typing import Any

from ppy_compiler.diagnostics.code import Code
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.dialects import DIALECTS, dialect_ops
from ppy_compiler.dialects.tensor import ELEMENTS
from ppy_compiler.ir.define import OperandsField, OptionalOperandField, ResultsField
from ppy_compiler.models import lookup
from ppy_compiler.plugins.specs import (
    NATIVE,
    NOTHING,
    SCALARS,
    DialectOperationSpec,
    DirectCallSpec,
    ElementSpec,
    IntrinsicSpec,
    LoweringSpec,
    ScalarSpec,
)
from ppy_compiler.support.suggest import did_you_mean

NATIVE_DIALECTS = frozenset(("arith", "func", "mem"))
"""Those whose operations every backend knows."""
COMPUTED = ("f64", "i64")
"""As what operators on scalars are computed."""
OPERATORS = frozenset("+ - * / // % ** & | ^ << >> ~ < <= == != > >=".split())
Fault = tuple[Code, dict[str, Any]]
"""A code and its fields, but for those that say whose spec it is."""


def fault_of(spec: LoweringSpec, lowered: Container[str]) -> Fault | None:
    """What is wrong with a spec; `lowered` are the operations for which somebody registered a lowering."""
    match spec:
        case IntrinsicSpec():
            entry = lookup(spec.function)
            if entry is None or entry.kind != "function":
                return _spec_fault(spec.function, "PPY models no function of that name")
        case DialectOperationSpec():
            problem = _operation_problem(spec, lowered)
            return _spec_fault(spec.operation, problem) if problem else None
        case ElementSpec() if spec.element not in ELEMENTS or spec.rank < 1:
            return _spec_fault(spec.element, f"an array has elements {', '.join(sorted(ELEMENTS))}, and dimensions")
        case ScalarSpec() if spec.element not in COMPUTED or spec.kind not in OPERATORS:
            return _spec_fault(spec.kind, f"an operator of Python computes {' or '.join(COMPUTED)}")
        case DirectCallSpec():
            problem = _signature_problem(spec)
            return (codes.WRONG_SIGNATURE, {"signature": spec.signature, "problem": problem}) if problem else None
    return None


def _spec_fault(target: str, problem: str) -> Fault:
    return codes.WRONG_SPEC, {"target": target, "problem": problem}


def _operation_problem(spec: DialectOperationSpec, lowered: Container[str]) -> str:
    dialect = spec.operation.partition(".")[0]
    if dialect not in DIALECTS:
        return f"there is no dialect {dialect!r}{did_you_mean(dialect, DIALECTS)}"
    known = dialect_ops(dialect)
    if spec.operation not in known:
        return f"the dialect has no such operation{did_you_mean(spec.operation, known)}"
    if dialect not in NATIVE_DIALECTS and spec.operation not in lowered:
        return "nobody registered a lowering of it"
    if wrong := [name for name in (*spec.operands, *_results(spec)) if name not in NATIVE]:
        return f"{wrong[0]!r} is none of {', '.join(NATIVE)}"
    definition = known[spec.operation].definition
    if (takes := _number(definition.operands, (OperandsField, OptionalOperandField))) not in (None, len(spec.operands)):
        return f"it takes {takes} operands, not {len(spec.operands)}"
    gives = _number(definition.results, ResultsField)
    wanted = len(_results(spec)) + spec.declines
    if gives not in (None, wanted):
        return f"it has {gives} results, not {wanted}"
    declared = {field.label for field in definition.attributes}
    strange = [name for name, _ in spec.attributes if name not in declared]
    return f"it has no attribute {strange[0]!r}{did_you_mean(strange[0], declared)}" if strange else ""


def _results(spec: DialectOperationSpec | DirectCallSpec) -> tuple[str, ...]:
    return () if spec.result == NOTHING else (spec.result,)


def _number(fields: tuple[object, ...], variable: type | tuple[type, ...]) -> int | None:
    return None if any(isinstance(field, variable) for field in fields) else len(fields)


def _signature_problem(spec: DirectCallSpec) -> str:
    if wrong := [name for name in (*spec.parameters, *_results(spec)) if name not in SCALARS]:
        return f"{wrong[0]!r} is none of {', '.join(SCALARS)}"
    if not spec.symbol.isidentifier() or not spec.symbol.isascii():
        return f"{spec.symbol!r} is no name of a C function"
    if not spec.library or os.path.isabs(spec.library) or ".." in spec.library.split("/"):
        return f"{spec.library!r} is no path from the folder in which the library is installed"
    return ""


def checker(lowered: Container[str]) -> Callable[[LoweringSpec], Fault | None]:
    """`fault_of`, remembering its answers."""
    return cache(lambda spec: fault_of(spec, lowered))
