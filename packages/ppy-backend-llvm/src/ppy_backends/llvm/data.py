"""A unit's data as LLVM assembly: its descriptor, constants, cells, function records, and the symbol the runtime
calls.

The structures are those of ``ppy_types.h``; their layout is the same on every Python. Functions refer to a constant
or a record by a symbol
of its own (an alias into the table), so a function's text does not change when another function's constants do.
"""

from __future__ import annotations

import marshal
import sys
from typing import Any

from ppy_backends.llvm.text import PROFILE, quoted
from ppy_compiler.dialects import func
from ppy_compiler.dialects.func import BUILTIN_PREFIX, EXTERN_PREFIX, LIBRARY_PREFIX

UNIT = "{ i32, i32, ptr, i64, ptr, i64, ptr, i64, ptr, i64, ptr, ptr, ptr, i64, i64, ptr, i64, ptr, ptr, i64 }"
RECORD = "{ ptr, ptr, ptr, i32, i32, i32, i32, ptr, ptr, ptr }"
CELL = "{ ptr, ptr, i64 }"
SUPPORT_ABI = 1
VARARGS, VARKEYWORDS = 1, 2


def unit_text(op: func.Unit) -> str:
    """The module that holds everything but code."""
    literals = [_constant(symbol, literal) for symbol, literal in op.constants]
    positions = {symbol: i for i, (symbol, _) in enumerate(op.constants)}
    names = {name: len(literals) + i for i, name in enumerate(op.cells)}
    literals.extend(op.cells)
    blob = marshal.dumps(tuple(literals), 4)
    parts = [
        _table("unit.consts", "ptr", ["ptr null"] * len(literals)),
        _table("unit.cells", CELL, [f"{CELL} {{ ptr null, ptr null, i64 {names[name]} }}" for name in op.cells]),
        _table("unit.records", RECORD, [_record(record) for record in op.records]),
        *(_alias(symbol, "ptr", "unit.consts", len(literals), i) for symbol, i in positions.items()),
        *(_alias(record[0], RECORD, "unit.records", len(op.records), i) for i, record in enumerate(op.records)),
        f'@unit.blob = internal constant [{len(blob)} x i8] c"{_bytes(blob)}"',
        _descriptor(op, len(blob), len(literals)),
        *_code(op),
        *(f"declare hidden ptr {quoted(record[1])}(ptr, ptr, i64, ptr)" for record in op.records if record[1]),
        PROFILE,
    ]
    return "\n".join(parts)


def _constant(symbol: str, literal: Any) -> Any:
    """What is marshalled: a built-in object, or the slot of something of a library, as a tuple that no source text can
    write (see ``unit.c``, ``library.c``)."""
    if symbol.startswith(LIBRARY_PREFIX):
        return (StopIteration, literal)
    if symbol.startswith(EXTERN_PREFIX):
        return (StopIteration, *literal)
    if not symbol.startswith(BUILTIN_PREFIX):
        return literal
    module, _, path = literal.partition(".")
    return (StopIteration, module, path)


def bytes_text(op: func.Bytes) -> str:
    kind = "global" if op.writable else "constant"
    return f'{quoted(op.sym)} = internal {kind} [{len(op.content)} x i8] c"{_bytes(op.content)}", align 8'


def _table(name: str, element: str, items: list[str]) -> str:
    return f"@{name} = internal global [{len(items)} x {element}] [{', '.join(items)}]"


def _record(record: tuple[str, str, int, bool, bool, int]) -> str:
    _, entry, code, varargs, varkeywords, slots = record
    flags = VARARGS * varargs | VARKEYWORDS * varkeywords
    target = quoted(entry) if entry else "null"
    numbers = f"i32 {code}, i32 {flags}, i32 {slots}, i32 0"
    return f"{RECORD} {{ ptr {target}, ptr null, ptr null, {numbers}, ptr null, ptr null, ptr null }}"


def _alias(symbol: str, element: str, table: str, count: int, index: int) -> str:
    array = f"[{count} x {element}]"
    return f"{quoted(symbol)} = hidden alias {element}, getelementptr ({array}, ptr @{table}, i64 0, i64 {index})"


def _descriptor(op: func.Unit, blob: int, literals: int) -> str:
    version = sys.version_info.major << 8 | sys.version_info.minor
    fields = [
        f"i32 {SUPPORT_ABI}",
        f"i32 {version}",
        "ptr @unit.blob",
        f"i64 {blob}",
        "ptr @unit.consts",
        f"i64 {literals}",
        "ptr @unit.records",
        f"i64 {len(op.records)}",
        "ptr @unit.cells",
        f"i64 {len(op.cells)}",
        f"ptr {'@unit.body' if op.body else 'null'}",
        "ptr null",
        "ptr null",
        "i64 0",
        "i64 0",
        "ptr null",
        "i64 0",
        "ptr null",
        "ptr null",
        "i64 0",
    ]
    return f"@unit = hidden global {UNIT} {{ {', '.join(fields)} }}"


def _code(op: func.Unit) -> list[str]:
    lines = [
        "declare ptr @ppy_unit_exec(ptr, ptr, ptr, ptr)",
        "define ptr @ppy_unit(ptr %dict, ptr %code, ptr %name) {",
        "  %r = call ptr @ppy_unit_exec(ptr @unit, ptr %dict, ptr %code, ptr %name)",
        "  ret ptr %r",
        "}",
    ]
    if op.body:
        lines += [
            f"declare hidden ptr {quoted(op.body)}(ptr)",
            "define internal ptr @unit.body(ptr %ctx, ptr %unit, ptr %dict) {",
            f"  %r = call ptr {quoted(op.body)}(ptr %ctx)",
            "  ret ptr %r",
            "}",
        ]
    return lines


def _bytes(data: bytes) -> str:
    return "".join(f"\\{byte:02X}" for byte in data)
