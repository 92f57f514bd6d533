"""Functions, classes, return, type parameters."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import ALLOCATES, RUNS
from ppy_compiler.ir import Op, Trait, attr, operand, operands, opt_operand, region, result
from ppy_compiler.ir.types import OBJECT


class Func(Op):
    """One code object: a function, lambda, comprehension that is a function, class body, type-parameter scope, or
    the module's top level.

    The entry block's arguments are the parameters in the order of ``co_varnames`` (positional, keyword-only,
    ``*args``,
    ``**kwargs``). A class body and the module body have one argument-free entry; names there are ``py.load_name``
    (class) or
    globals (module).

    ``sym``: unique in the module. ``qualname``: as ``__qualname__``. ``kind``: ``module function lambda
    comprehension class typeparams``.
    ``code``: path to the code object CPython's compiler makes for it, as indices into nested ``co_consts`` (the
    module is ``()``).
    ``params``: names; ``posonly``/``positional``/``kwonly``: counts (``positional`` includes ``posonly``);
    ``vararg``/``kwarg``: whether present.
    ``flavor``: ``plain generator coroutine async_generator``. ``freevars``/``cellvars``: names as in the code object.
    ``annotations``: parameter name or ``return`` to source text, for the checker. ``directives``: ``ppy`` directives
    found among the decorators, as ``(name, arguments)`` pairs; ``directive_places``: their spans. ``native``: empty, or
    the remark code why the function runs as Python.
    """

    name = "py.func"
    traits = Trait.SYMBOL | Trait.ISOLATED
    sym = attr(str)
    qualname = attr(str)
    kind = attr(str, "function")
    code = attr(tuple, ())
    params = attr(tuple, ())
    posonly = attr(int, 0)
    positional = attr(int, 0)
    kwonly = attr(int, 0)
    vararg = attr(bool, False)
    kwarg = attr(bool, False)
    flavor = attr(str, "plain")
    freevars = attr(tuple, ())
    cellvars = attr(tuple, ())
    locals = attr(tuple, ())
    annotations = attr(tuple, ())
    directives = attr(tuple, ())
    directive_places = attr(tuple, ())
    native = attr(str, "")
    body = region()


class Return(Op):
    """Return ``value`` to the caller."""

    name = "py.return"
    traits = Trait.TERMINATOR
    value = operand()


class MakeFunction(Op):
    """A function object of the ``py.func`` named ``func``.

    ``defaults``: a tuple or absent; ``kwdefaults``: a dict or absent; ``annotations``: a flat tuple (name, value, …)
    or absent;
    ``closure``: one cell per free variable, in the order of ``freevars``.
    """

    name = "py.make_function"
    traits = ALLOCATES
    func = attr(str)
    defaults = opt_operand()
    kwdefaults = opt_operand()
    annotations = opt_operand()
    closure = operands()
    value = result(OBJECT)


class LoadBuildClass(Op):
    """``builtins.__build_class__`` as it is now."""

    name = "py.load_build_class"
    traits = RUNS
    value = result(OBJECT)


class TypeIntrinsic(Op):
    """PEP 695/696 machinery, by CPython's name of the intrinsic.

    ``kind``: ``typevar`` (name), ``typevar_with_bound`` (name, evaluator), ``typevar_with_constraints`` (name,
    evaluator), ``paramspec`` (name),
    ``typevartuple`` (name), ``set_typeparam_default`` (parameter, evaluator), ``subscript_generic`` (parameters),
    ``typealias`` (tuple of name,
    parameters, evaluator), ``set_function_type_params`` (function, parameters).
    """

    name = "py.type_intrinsic"
    traits = RUNS
    kind = attr(str)
    args = operands()
    value = result(OBJECT)


OPS = (Func, Return, MakeFunction, LoadBuildClass, TypeIntrinsic)
