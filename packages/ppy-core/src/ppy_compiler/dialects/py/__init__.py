"""The ``py`` dialect: operations that mean exactly what CPython does.

Every value is a Python object (``object``), a closure cell (``cell``) or a truth value (``i1``). Nothing is typed;
facts come from ``infer``. Each family of operations has its own module; beside it stands its reference functions
(``reference``), which the interpreter runs and folding uses.

Conventions
    * Operations evaluate in the order they stand, as CPython's bytecode does. An operation with ``Trait.RAISES``
      may raise; inside ``try`` and ``with`` it carries an ``unwind`` successor.
    * Local variables are SSA values. A variable that may be unbound holds the null marker (``py.unbound``) on that
    path and is
      tested by ``py.check_bound`` before use. Variables shared with inner functions are cells.
    * ``py.drop`` marks where a named local lets its object go (rebinding, ``del``, the function's end), because
      a finalizer may run there. It is the last use of a binding, not of the value.
    * The exception being handled is an explicit value: ``py.push_exc`` makes it the handled one and gives the
    previous back,
      ``py.pop_exc`` restores that one.
"""

from __future__ import annotations

from ppy_compiler.dialects.py import (
    calls,
    containers,
    contexts,
    exceptions,
    functions,
    generators,
    imports,
    iteration,
    loops,
    matching,
    names,
    operators,
    strings,
)

OPS = (
    *functions.OPS,
    *names.OPS,
    *operators.OPS,
    *calls.OPS,
    *containers.OPS,
    *strings.OPS,
    *iteration.OPS,
    *loops.OPS,
    *exceptions.OPS,
    *contexts.OPS,
    *generators.OPS,
    *matching.OPS,
    *imports.OPS,
)
