"""The table: syntax node class to the function that builds it; a test holds it complete for the running Python.

Not in it, because other nodes' functions look into them: contexts and operators, arguments, keywords, aliases,
``with`` items, ``except`` clauses, cases, patterns (``patterns.PATTERNS``), type parameters, ``Starred``, and the
roots.
"""

from __future__ import annotations

import ast
from typing import Any

from ppy_compiler.frontend.constructs import (
    access,
    assignments,
    branches,
    calls,
    classes,
    comprehensions,
    contexts,
    exceptions,
    functions,
    generators,
    imports,
    literals,
    loops,
    matching,
    operators,
    strings,
)

FAMILIES = (
    access,
    assignments,
    branches,
    calls,
    classes,
    comprehensions,
    contexts,
    exceptions,
    functions,
    generators,
    imports,
    literals,
    loops,
    matching,
    operators,
    strings,
)
TABLE: dict[type[ast.AST], Any] = {node: build for family in FAMILIES for node, build in family.TABLE.items()}
