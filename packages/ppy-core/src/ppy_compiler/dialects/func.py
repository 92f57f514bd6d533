"""The ``func`` dialect: native functions, calls, data of a unit."""

from __future__ import annotations

from ppy_compiler.ir import Op, Trait, attr, operands, region, results


class Func(Op):
    """A native function.

    ``role``: ``fast`` (unboxed body), ``loops`` (the same, entered at loop headers), ``exit`` (boxes and enters the
    twin), ``twin`` (general body),
    ``entry`` (what CPython calls). ``convention``: ``c`` or ``fast``. ``cold``: rarely run, so compiled for compile
    time. ``inline``: ``always``, a copy that is expanded wherever it is called and stands for itself nowhere,
    ``never``, or empty. ``plain``: not worth much optimisation. ``level``: of optimisation, where it is not the
    unit's. ``source``: the ``py.func`` it was made from.
    ``returns``: types of the results; several are returned as a struct.
    """

    name = "func.func"
    traits = Trait.SYMBOL | Trait.ISOLATED
    sym = attr(str)
    source = attr(str, "")
    role = attr(str)
    convention = attr(str, "c")
    cold = attr(bool, False)
    inline = attr(str, "")
    plain = attr(bool, False)
    level = attr(None, None)
    returns = attr(tuple, ())
    body = region()


class Call(Op):
    """Call the native function or C function ``callee``; several results are the fields of the struct it returns.

    ``cold``: rarely reached. ``inline``: whether the callee may be inlined here, where it can be.
    """

    name = "func.call"
    callee = attr(str)
    convention = attr(str, "c")
    cold = attr(bool, False)
    inline = attr(bool, True)
    args = operands()
    values = results()


class CallPointer(Op):
    """Call the C function whose address is the first argument."""

    name = "func.call_pointer"
    args = operands()
    values = results()


class Return(Op):
    name = "func.return"
    traits = Trait.TERMINATOR
    values = operands()


class Bytes(Op):
    """Bytes under the name ``sym``, beside the optimised functions of ``source``. ``writable``: not constant, and
    each
    module of ``source`` has its own."""

    name = "func.bytes"
    traits = Trait.SYMBOL
    sym = attr(str)
    source = attr(str, "")
    content = attr(bytes)
    writable = attr(bool, False)


class Stored(Op):
    """The native functions of ``source``, as they are in the object store under the keys ``objects``."""

    name = "func.stored"
    traits = Trait.SYMBOL
    sym = attr(str)
    source = attr(str)
    objects = attr(tuple)


BUILTIN_PREFIX = "builtin."
"""Of the symbols of constants that are built-in objects."""


LIBRARY_PREFIX = "library."
"""Of the symbols of slots for functions and classes of libraries: the literal is the dotted name."""
EXTERN_PREFIX = "extern."
"""Of the symbols of slots for C functions of libraries: the literal is module, path and symbol."""


class Unit(Op):
    """What the unit's descriptor says beside its functions.

    ``constants``: pairs (symbol, literal); the symbol names a pointer to the object. A symbol ``builtin.NAME`` names
    one to a
    built-in object, found when the unit is loaded. ``cells``: the module-level
    names used, by index.
    ``records``: one tuple (symbol, entry symbol or empty, code index, has ``*args``, has ``**kwargs``, slots) per
    native function; the module body has code
    index 0. ``body``: the symbol that runs the module's top level, given the context.
    """

    name = "func.unit"
    traits = Trait.SYMBOL
    constants = attr(tuple)
    cells = attr(tuple)
    records = attr(tuple)
    body = attr(str)


OPS = (Func, Call, CallPointer, Return, Bytes, Stored, Unit)
