"""What the modules of libraries hold that plugins model."""

from __future__ import annotations

from ppy_compiler.dialects.py import calls, operators
from ppy_compiler.infer import atoms
from ppy_compiler.ir import Value
from ppy_compiler.ir.types import OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.models import modelled_modules


def module_item(body: Body, op: operators.GetAttr | calls.LoadMethod, result: Value) -> Value | None:
    """A known attribute of such a module, new: a look into the module's dict, so that no ``__getattr__`` runs; where
    that has no such thing the twin asks. ``None``: it is an attribute of something else."""
    module, found = body.fact(op.object), body.fact(result)
    if module is None or found is None or module.types != atoms.MODULE or not module.name:
        return None
    if module.name in modelled_modules():
        return None
    if found.types & atoms.ANY_OBJECT == atoms.ANY_OBJECT and not found.name:
        return None
    item = body.b.call1("ppy_module_item", [body.obj(op.object), body.constant(op.attribute)], OBJECT)
    body.deopt_unless(body.b.not_(body.b.is_null(item)))
    return item
