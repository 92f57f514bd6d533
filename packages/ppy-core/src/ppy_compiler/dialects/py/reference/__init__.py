"""Reference functions: what each operation of the ``py`` dialect means, as Python code with CPython's own semantics.

``TABLE`` joins the families; a test checks that no operation is missing. ``run`` executes a whole module through them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppy_compiler.dialects.py.reference import (
    calls,
    containers,
    control,
    exceptions,
    functions,
    generators,
    imports,
    iteration,
    matching,
    names,
    operators,
)
from ppy_compiler.ir.core import Operation
from ppy_compiler.ir.interpreter import Reference

FAMILIES: tuple[Mapping[Any, Reference], ...] = (
    control.TABLE,
    functions.TABLE,
    names.TABLE,
    operators.TABLE,
    iteration.TABLE,
    calls.TABLE,
    containers.TABLE,
    exceptions.TABLE,
    generators.TABLE,
    matching.TABLE,
    imports.TABLE,
)
TABLE: dict[type[Operation], Reference] = {op: reference for family in FAMILIES for op, reference in family.items()}
