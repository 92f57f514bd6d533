"""Constants, local variables, globals, class namespaces, cells."""

from __future__ import annotations

from ppy_compiler.dialects.py.effects import ALLOCATES, EFFECT, PURE, RAISES, RUNS
from ppy_compiler.ir import Op, Trait, attr, operand, opt_operand, result
from ppy_compiler.ir.types import CELL, OBJECT


class Const(Op):
    """A literal: ``None True False ... int float complex str bytes`` or a tuple or frozenset of these."""

    name = "py.const"
    traits = Trait.PURE | Trait.CONSTANT
    literal = attr()
    value = result(OBJECT)


class Unbound(Op):
    """The null marker: what a variable without a value holds."""

    name = "py.unbound"
    traits = Trait.PURE | Trait.CONSTANT
    value = result(OBJECT)


class Annotated(Op):
    """``argument`` itself, about to be bound to variable ``var`` that the function (or the module's top level)
    declares as ``var: annotation``.

    Emitted for every binding of such a local or module variable (assignment, loop target, walrus ...), also where
    the declaration
    stands elsewhere in the function; ``annotation`` is its source text. Nothing happens at run time: inference takes
    it as an assumption
    and marks the value as guarded where it is not proven.
    """

    name = "py.annotated"
    traits = PURE
    var = attr(str)
    annotation = attr(str)
    argument = operand()
    value = result(OBJECT)


class CheckBound(Op):
    """``argument``, unless it is the null marker: then UnboundLocalError (``kind="local"``) or NameError
    (``kind="free"``) for ``var``."""

    name = "py.check_bound"
    traits = RAISES
    var = attr(str)
    kind = attr(str, "local")
    argument = operand()
    value = result(OBJECT)


class Drop(Op):
    """The binding of local ``var`` to ``value`` ends here (see the dialect's page).

    ``value`` may be the null marker. At a function's end the cells it made are dropped as well.
    """

    name = "py.drop"
    traits = Trait.RUNS_CODE
    var = attr(str)
    value = operand()


class LoadGlobal(Op):
    """Global, else builtin, else NameError."""

    name = "py.load_global"
    traits = RUNS
    var = attr(str)
    value = result(OBJECT)


class StoreGlobal(Op):
    name = "py.store_global"
    traits = RUNS
    var = attr(str)
    value = operand()


class DelGlobal(Op):
    """NameError when it is not there."""

    name = "py.del_global"
    traits = RUNS
    var = attr(str)


class LoadName(Op):
    """In a class body: the namespace (any mapping), else global, else builtin."""

    name = "py.load_name"
    traits = RUNS
    var = attr(str)
    value = result(OBJECT)


class StoreName(Op):
    name = "py.store_name"
    traits = RUNS
    var = attr(str)
    value = operand()


class DelName(Op):
    name = "py.del_name"
    traits = RUNS
    var = attr(str)


class LoadLocals(Op):
    """The namespace mapping of a class body (CPython's LOAD_LOCALS)."""

    name = "py.load_locals"
    traits = RUNS
    value = result(OBJECT)


class LoadNameOrCell(Op):
    """In a class body: the namespace, else the cell (CPython's LOAD_CLASSDEREF); NameError when empty.

    In a type-parameter scope inside a class ``namespace`` is the class's (LOAD_FROM_DICT_OR_DEREF).
    """

    name = "py.load_name_or_cell"
    traits = RUNS
    var = attr(str)
    cell = operand()
    namespace = opt_operand()
    value = result(OBJECT)


class LoadNameOrGlobal(Op):
    """In a type-parameter scope inside a class: ``namespace``, else global, else builtin
    (LOAD_FROM_DICT_OR_GLOBALS)."""

    name = "py.load_name_or_global"
    traits = RUNS
    var = attr(str)
    namespace = operand()
    value = result(OBJECT)


class SetupAnnotations(Op):
    """The namespace of the module or class body gets an empty ``__annotations__``, unless it has one
    (SETUP_ANNOTATIONS)."""

    name = "py.setup_annotations"
    traits = RUNS


class MakeCell(Op):
    """A fresh cell holding ``value`` (which may be the null marker)."""

    name = "py.make_cell"
    traits = ALLOCATES
    var = attr(str)
    value = operand()
    cell = result(CELL)


class FreeCell(Op):
    """The cell that the running function object brought along for free variable ``var``."""

    name = "py.free_cell"
    traits = PURE
    var = attr(str)
    cell = result(CELL)


class LoadCell(Op):
    """The cell's content; when empty UnboundLocalError (``kind="local"``) or NameError (``kind="free"``)."""

    name = "py.load_cell"
    traits = RAISES
    var = attr(str)
    kind = attr(str, "local")
    cell = operand()
    value = result(OBJECT)


class StoreCell(Op):
    """The previous content is released, so a finalizer may run."""

    name = "py.store_cell"
    traits = EFFECT | Trait.RUNS_CODE
    var = attr(str)
    cell = operand()
    value = operand()


class DelCell(Op):
    name = "py.del_cell"
    traits = RUNS
    var = attr(str)
    kind = attr(str, "local")
    cell = operand()


OPS = (
    Const,
    Unbound,
    Annotated,
    CheckBound,
    Drop,
    LoadGlobal,
    StoreGlobal,
    DelGlobal,
    LoadName,
    StoreName,
    DelName,
    LoadLocals,
    LoadNameOrCell,
    LoadNameOrGlobal,
    SetupAnnotations,
    MakeCell,
    FreeCell,
    LoadCell,
    StoreCell,
    DelCell,
)
