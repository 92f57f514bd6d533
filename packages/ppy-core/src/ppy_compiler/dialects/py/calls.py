"""Calls."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import RUNS
from ppy_compiler.ir import Op, attr, operand, operands, opt_operand, result
from ppy_compiler.ir.types import OBJECT


class Call(Op):
    """``callee(*args)`` in vectorcall form: the last ``len(kwnames)`` arguments are passed by those names."""

    name = "py.call"
    traits = RUNS
    kwnames = attr(tuple, ())
    callee = operand()
    args = operands()
    value = result(OBJECT)


class LoadMethod(Op):
    """``object.attribute`` for a call that follows: the unbound method and ``object``, or the attribute and the null
    marker.

    Exactly CPython's LOAD_METHOD: the attribute is looked up before the arguments are evaluated, and no bound
    method object is made where the type's attribute is a method.
    """

    name = "py.load_method"
    traits = RUNS
    attribute = attr(str)
    object = operand()
    method = result(OBJECT)
    receiver = result(OBJECT)


class CallMethod(Op):
    """Calls what ``py.load_method`` gave; ``receiver`` may be the null marker."""

    name = "py.call_method"
    traits = RUNS
    kwnames = attr(tuple, ())
    method = operand()
    receiver = operand()
    args = operands()
    value = result(OBJECT)


class CallEx(Op):
    """``callee(*args, **kwargs)``; ``args`` is any iterable, ``kwargs`` a mapping or absent (CPython's
    CALL_FUNCTION_EX)."""

    name = "py.call_ex"
    traits = RUNS
    callee = operand()
    args = operand()
    kwargs = opt_operand()
    value = result(OBJECT)


class LoadSuper(Op):
    """``super(cls, self).attribute`` in a method that uses zero- or two-argument ``super``: ``global_super`` is the
    name's value.

    ``method``: the two results are as those of ``py.load_method``; else the second is the null marker.
    ``two_arguments``: written as ``super(a, b)``.
    """

    name = "py.load_super"
    traits = RUNS
    attribute = attr(str)
    method = attr(bool, False)
    two_arguments = attr(bool, False)
    global_super = operand()
    cls = operand()
    object = operand()
    value = result(OBJECT)
    receiver = result(OBJECT)


OPS = (Call, LoadMethod, CallMethod, CallEx, LoadSuper)
