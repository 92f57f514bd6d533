"""Names that are nowhere defined, and locals that certainly have no value."""

from __future__ import annotations

import builtins

from ppy_compiler.diagnostics.codes import types as codes
from ppy_compiler.dialects.py.calls import LoadMethod
from ppy_compiler.dialects.py.imports import ImportStar
from ppy_compiler.dialects.py.names import CheckBound, LoadGlobal, LoadName, StoreGlobal, StoreName
from ppy_compiler.dialects.py.operators import GetAttr
from ppy_compiler.infer.atoms import NULL
from ppy_compiler.infer.checker.context import Context, View
from ppy_compiler.ir import Operation
from ppy_compiler.support.suggest import did_you_mean

ALWAYS = frozenset(
    (
        "__name__",
        "__file__",
        "__doc__",
        "__package__",
        "__loader__",
        "__spec__",
        "__path__",
        "__builtins__",
        "__annotations__",
        "__cached__",
        "__dict__",
        "__debug__",
        "__module__",
        "__qualname__",
        "__class__",
        "__firstlineno__",
        "__static_attributes__",
        "__type_params__",
        "reveal_type",
        "_",
        "WindowsError",
    )
)
DYNAMIC = frozenset(("exec", "eval", "globals", "vars", "locals", "setattr", "__import__", "__getattr__"))
"""Where one of these is used, names can come from anywhere."""
DYNAMIC_ATTRIBUTES = frozenset(("_convert_", "_convert", "modules", "f_globals"))
"""The same for attributes: ``enum`` puts members into a module, ``sys.modules`` gives modules to write to."""


def _known(context: Context) -> frozenset[str] | None:
    """All names that the module can mean, ``None`` when that cannot be told."""
    cached: frozenset[str] | None
    if "known" in context.__dict__:
        cached = context.__dict__["known"]
        return cached
    stored: set[str] = set()
    dynamic = False
    for function in context.facts.functions.values():
        for block in function.func.body.blocks:
            for op in block.ops:
                if isinstance(op, StoreGlobal):
                    stored.add(op.var)
                else:
                    dynamic = dynamic or _makes_names(op)
    known = None if dynamic or "__getattr__" in stored else frozenset(stored) | frozenset(dir(builtins)) | ALWAYS
    context.__dict__["known"] = known
    return known


def _makes_names(op: Operation) -> bool:
    """Whether names may come to be in a way that no assignment shows."""
    if isinstance(op, (LoadGlobal, LoadName)):
        return op.var in DYNAMIC
    if isinstance(op, (GetAttr, LoadMethod)):
        return op.attribute in DYNAMIC_ATTRIBUTES
    return isinstance(op, ImportStar)


def load_global(op: LoadGlobal | LoadName, view: View) -> None:
    known = _known(view.context)
    if known is None or op.var in known:
        return
    if isinstance(op, LoadName) and any(
        isinstance(other, StoreName) and other.var == op.var
        for block in view.function.func.body.blocks
        for other in block.ops
    ):
        return
    near = [name for name in (*known, *view.function.func.locals) if not name.startswith("__")]
    view.report(
        codes.UNDEFINED_NAME, op, raises="NameError", name=op.var, suggestion=did_you_mean(op.var, sorted(near))
    )


def check_bound(op: CheckBound, view: View) -> None:
    if view.fact(op.argument).types == NULL and op.kind == "local":
        view.report(codes.UNBOUND_LOCAL, op, raises="UnboundLocalError", name=op.var)


RULES = {LoadGlobal: load_global, LoadName: load_global, CheckBound: check_bound}
