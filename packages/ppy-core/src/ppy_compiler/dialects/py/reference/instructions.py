"""CPython's own instructions as functions, and functions whose frames nobody sees.

Where an operation is one instruction of CPython without an equivalent in Python source, its reference is that very
instruction, assembled into a function that takes the instruction's operands. Neither these functions nor those marked
``unseen`` appear in tracebacks or to ``sys._getframe``: CPython leaves frames out that have not passed a RESUME
instruction.
"""

from __future__ import annotations

import builtins
import opcode
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
PYTHON = sys.version_info[:2]
Instruction = tuple[str, int]


def assemble(instructions: Iterable[Instruction]) -> bytes:
    """Bytecode of the running Python, with its inline caches; arguments up to 65535."""
    code = bytearray()
    for name, argument in instructions:
        if argument > 255:
            code += bytes([opcode.opmap["EXTENDED_ARG"], argument >> 8])
        code += bytes([opcode.opmap[name], argument & 255])
        code += b"\0\0" * _caches(name)
    return bytes(code)


RETURN: tuple[Instruction, ...] = (("RETURN_VALUE", 0), ("RESUME", 0))
"""How unseen code ends: CPython takes a frame for started once it is past the first RESUME, which here is never."""


def replace_instructions(code: CodeType, instructions: Iterable[Instruction], **fields: Any) -> CodeType:
    """``code`` with other instructions, all at its first line, that nobody sees running."""
    new = assemble([*instructions, *RETURN])
    return code.replace(co_code=new, co_linetable=_one_line(len(new) // 2), co_exceptiontable=b"", **fields)


def _one_line(units: int) -> bytes:
    """A location table of just that length (a longer one would be written past its end by tracing): line only, +0."""
    entries = [min(8, units - start) for start in range(0, units, 8)]
    return b"".join(bytes([0x80 | 13 << 3 | count - 1, 0]) for count in entries)


def _caches(name: str) -> int:
    table: Any = opcode._inline_cache_entries  # type: ignore[attr-defined]
    return int(table.get(name, 0) if isinstance(table, dict) else table[opcode.opmap[name]])


def call_sequence(count: int, *callee: Instruction, args: Iterable[Instruction]) -> list[Instruction]:
    """Instructions that call what ``callee`` pushes with the ``count`` values that ``args`` push."""
    null: list[Instruction] = [("PUSH_NULL", 0)]
    before, after = (null, []) if PYTHON < (3, 13) else ([], null)
    precall: list[Instruction] = [("PRECALL", count)] if PYTHON < (3, 12) else []
    return [*before, *callee, *after, *args, *precall, ("CALL", count)]


def push(*numbers: int) -> list[Instruction]:
    """Push parameters by their numbers."""
    return [("LOAD_FAST", number) for number in numbers]


def instruction_code(count: int, instructions: Iterable[Instruction], names: tuple[str, ...] = ()) -> CodeType:
    """Code with ``count`` positional parameters that runs ``instructions`` and returns what is on top then;
    constant 0 is ``None``.
    """
    return replace_instructions(
        _template.__code__,
        instructions,
        co_argcount=count,
        co_nlocals=count,
        co_varnames=tuple(f"argument{i}" for i in range(count)),
        co_names=names,
        co_consts=(None,),
        co_stacksize=count + 8,
    )


def _template() -> None: ...


def instruction(count: int, *instructions: Instruction, names: tuple[str, ...] = ()) -> Callable[..., Any]:
    """A function of ``count`` arguments that pushes them and runs a few instructions."""
    code = instruction_code(count, [*push(*range(count)), *instructions], names)
    return FunctionType(code, {"__builtins__": builtins})


def unseen(function: F) -> F:
    """Mark a helper written in Python: its frame counts as not yet started."""
    code = bytearray(function.__code__.co_code)
    resume = opcode.opmap["RESUME"]
    for at in range(0, len(code), 2):
        if code[at] == resume:
            code[at] = opcode.opmap["NOP"]
            code[at + 1] = 0
    code += assemble([("RESUME", 0)])
    table = function.__code__.co_linetable + bytes([0x80 | 15 << 3])
    function.__code__ = function.__code__.replace(co_code=bytes(code), co_linetable=table)
    return function


def intrinsic(count: int, name: str) -> Instruction:
    """CALL_INTRINSIC_1 or _2 (3.12 and later) by the intrinsic's name."""
    table: list[str] = getattr(opcode, f"_intrinsic_{count}_descs")
    return (f"CALL_INTRINSIC_{count}", table.index(name))


push_exception = instruction(1, ("PUSH_EXC_INFO", 0), ("POP_TOP", 0))
"""Make the argument the handled exception; returns the previous one or ``None``."""
pop_exception = instruction(1, ("POP_EXCEPT", 0), ("LOAD_CONST", 0))
"""Make the argument, which may be ``None``, the handled exception."""
reraise = instruction(1, ("RERAISE", 0))
"""Raise the argument as it is: no context, no traceback entry of this function."""
exception_matches = instruction(2, ("CHECK_EXC_MATCH", 0))
_group_match = instruction(2, ("CHECK_EG_MATCH", 0), ("BUILD_TUPLE", 2))
_prepare = ("PREP_RERAISE_STAR", 0) if PYTHON < (3, 12) else intrinsic(2, "INTRINSIC_PREP_RERAISE_STAR")
prepare_reraise_star = instruction(2, _prepare)
enter_context = instruction(1, ("BEFORE_WITH", 0), ("BUILD_TUPLE", 2))
"""The bound exit and what ``__enter__`` returned."""
enter_async_context = instruction(1, ("BEFORE_ASYNC_WITH", 0), ("BUILD_TUPLE", 2))
asynchronous_iterator = instruction(1, ("GET_AITER", 0))
asynchronous_next = instruction(1, ("GET_ANEXT", 0))
match_keys = instruction(2, ("MATCH_KEYS", 0))
_null: list[Instruction] = [("PUSH_NULL", 0)] if PYTHON >= (3, 13) else []
_merge = instruction_code(3, [*push(0), *_null, *push(0, 1, 2), ("DICT_MERGE", 1), ("LOAD_CONST", 0)])
merge_keywords = FunctionType(_merge, {"__builtins__": builtins})
"""``merge_keywords(callee, dict, mapping)``."""
awaitable_iterator = {
    context: instruction(1, ("GET_AWAITABLE", number)) for number, context in enumerate(("", "aenter", "aexit"))
}


@unseen
def group_match(exception: BaseException, pattern: Any) -> tuple[Any, Any]:
    """The part of ``exception`` that ``except* pattern`` handles and the rest; the handled exception stays what it
    is.
    """
    handled = push_exception(exception)
    pop_exception(handled)
    rest, matched = _group_match(exception, pattern)
    pop_exception(handled)
    return matched, rest if matched is not None else exception
