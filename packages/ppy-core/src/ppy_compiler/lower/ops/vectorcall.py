"""Calls of any object, through the vectorcall protocol."""

from __future__ import annotations

from collections.abc import Sequence

from ppy_compiler.ir import Value
from ppy_compiler.lower.body import Body

ARGUMENTS_OFFSET = -(1 << 63)
"""``PY_VECTORCALL_ARGUMENTS_OFFSET``: the callee may use the slot before the arguments."""


def vectorcall(body: Body, callee: Value, args: Sequence[Value], kwnames: tuple[str, ...]) -> Value:
    """``callee(*args)`` in vectorcall form; a new reference. Leaves temporaries to the caller's error check."""
    vector = body.vector(args, room=1)
    names = body.constant(kwnames) if kwnames else body.b.null()
    number = body.b.i64((len(args) - len(kwnames)) + ARGUMENTS_OFFSET)
    enter_call(body, callee, vector, number, kwnames)
    return body.new("PyObject_Vectorcall", callee, vector, number, names)


def enter_call(body: Body, callee: Value, vector: Value, number: Value, kwnames: tuple[str, ...]) -> None:
    """Before a call in vectorcall form."""
    if kwnames:
        body.enter_frame()
    else:
        body.b.call("ppy_frame_enter_call", [*body.frame_operands(), callee, vector, number])
