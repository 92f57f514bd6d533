"""Operations that can raise stand where CPython's compiler puts the instruction: tracebacks come from these places."""

from __future__ import annotations

import dis
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType

import pytest
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.support.source import Source

LIBRARY = Path(json.__file__).parents[1]
MODULES = ["textwrap.py", "dataclasses.py", "contextlib.py", "asyncio/queues.py", "fractions.py"]
JUMPS = {name for name in dis.opmap if "JUMP" in name and "IF" in name}
INSTRUCTIONS: dict[str, set[str]] = {
    "py.call": {"CALL", "CALL_KW", "CALL_FUNCTION_EX"},
    "py.call_method": {"CALL", "CALL_KW"},
    "py.call_ex": {"CALL_FUNCTION_EX"},
    "py.load_method": {"LOAD_METHOD", "LOAD_ATTR"},
    "py.getattr": {"LOAD_ATTR", "LOAD_METHOD"},
    "py.load_super": {"LOAD_SUPER_ATTR", "LOAD_METHOD", "LOAD_ATTR"},
    "py.setattr": {"STORE_ATTR"},
    "py.delattr": {"DELETE_ATTR"},
    "py.getitem": {"BINARY_SUBSCR", "BINARY_SLICE"},
    "py.setitem": {"STORE_SUBSCR", "STORE_SLICE"},
    "py.delitem": {"DELETE_SUBSCR"},
    "py.binary": {"BINARY_OP"},
    "py.unary": {"UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "CALL_INTRINSIC_1"},
    "py.compare": {"COMPARE_OP"},
    "py.contains": {"CONTAINS_OP"},
    "py.truth": {"TO_BOOL", "UNARY_NOT", "COMPARE_OP", *JUMPS},
    "py.iter": {"GET_ITER"},
    "py.next": {"FOR_ITER"},
    "py.load_global": {"LOAD_GLOBAL", "LOAD_NAME"},
    "py.load_name": {"LOAD_NAME"},
    "py.load_cell": {"LOAD_DEREF"},
    "py.load_name_or_cell": {"LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"},
    "py.check_bound": {"LOAD_FAST", "LOAD_FAST_CHECK", "DELETE_FAST"},
    "py.unpack": {"UNPACK_SEQUENCE"},
    "py.unpack_ex": {"UNPACK_EX"},
    "py.raise": {"RAISE_VARARGS"},
    "py.exc_match": {"CHECK_EXC_MATCH"},
    "py.with_enter": {"BEFORE_WITH", "BEFORE_ASYNC_WITH"},
    "py.with_exit": {"CALL", "WITH_EXCEPT_START"},
    "py.import_name": {"IMPORT_NAME"},
    "py.import_from": {"IMPORT_FROM"},
    "py.aiter": {"GET_AITER"},
    "py.anext": {"GET_ANEXT"},
    "py.is_stop_async": {"END_ASYNC_FOR"},
    "py.yield": {"YIELD_VALUE"},
    "py.yield_from": {"SEND"},
    "py.get_awaitable": {"GET_AWAITABLE"},
    "py.format_value": {"FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC"},
    "py.list_append": {"LIST_APPEND"},
    "py.set_add": {"SET_ADD"},
    "py.dict_set": {"MAP_ADD"},
    "py.list_extend": {"LIST_EXTEND"},
    "py.dict_merge": {"DICT_MERGE"},
    "py.match_class": {"MATCH_CLASS"},
    "py.match_keys": {"MATCH_KEYS"},
    "py.length": {"GET_LEN"},
}
CodeAt = Callable[[CodeType, tuple[int, ...]], CodeType]


def misplaced(op: Func, code: CodeType) -> Iterator[str]:
    places: dict[str, set[tuple[int | None, ...]]] = defaultdict(set)
    for instruction in dis.get_instructions(code):
        p = instruction.positions
        if p is not None:
            places[instruction.opname].add((p.lineno, p.col_offset, p.end_lineno, p.end_col_offset))
    operations = [inner for block in op.body.blocks for inner in block.ops]
    unplaced = {"py.list_append"} if any(inner.name == "py.prep_reraise_star" for inner in operations) else set()
    for inner in operations:
        wanted = INSTRUCTIONS.get(inner.name)
        if wanted is None or inner.name in unplaced or str(inner.attributes.get("var")).startswith("."):
            continue
        assert inner.span is not None
        if not any(tuple(inner.span) in places[name] for name in wanted) and not is_known(inner.name):
            yield f"{op.sym}: {inner.name} at {inner.span}"


def is_known(name: str) -> bool:
    """In 3.11 places leak from one part of a pattern into the next, and ``super()`` loads nothing by itself."""
    return sys.version_info < (3, 12) and name in ("py.delitem", "py.binary", "py.truth", "py.load_cell")


def test_cases(compiled: tuple[CodeType, list[Func]], code_at: CodeAt) -> None:
    code, functions = compiled
    found = [f for op in functions for f in misplaced(op, code_at(code, op.code))]
    assert found == []


@pytest.mark.parametrize("module", MODULES)
def test_the_standard_library(module: str, code_at: CodeAt) -> None:
    source = Source.read(LIBRARY / module)
    code = compile_code(source)
    functions = [op for op in build_module(source, module, code).body.entry.ops if isinstance(op, Func)]
    found = [f for op in functions for f in misplaced(op, code_at(code, op.code))]
    assert found == []
