"""Where a value comes from: the operation that defines it, the value that it is the same object as."""

from __future__ import annotations

from ppy_compiler.dialects.py.calls import LoadMethod
from ppy_compiler.dialects.py.names import Annotated, CheckBound
from ppy_compiler.ir import Operation, OpResult, Value


def origin(value: Value) -> Value:
    """The value that ``value`` is the same object as: declarations, checks and method receivers looked through."""
    while isinstance(value, OpResult):
        if isinstance(value.op, (Annotated, CheckBound)):
            value = value.op.argument
        elif isinstance(value.op, LoadMethod) and value.index == 1:
            value = value.op.object
        else:
            break
    return value


def definition(value: Value) -> Operation | None:
    """The operation whose result ``value`` is."""
    return value.op if isinstance(value, OpResult) else None
