"""The tables know every syntax node of the running Python."""

from __future__ import annotations

import ast

from ppy_compiler.frontend.constructs import comprehensions
from ppy_compiler.frontend.folding import BINARY as FOLDED
from ppy_compiler.frontend.operations import BINARY
from ppy_compiler.frontend.patterns import PATTERNS
from ppy_compiler.frontend.table import FAMILIES, TABLE

# Other nodes' functions look into these.
INSIDE_OTHERS = {ast.Starred}
# The grammar's classes of deprecated nodes, which the parser does not make.
NEVER_PARSED = {
    "Num",
    "Str",
    "Bytes",
    "NameConstant",
    "Ellipsis",
    "Index",
    "ExtSlice",
    "Suite",
    "AugLoad",
    "AugStore",
    "Param",
}


def concrete(base: type[ast.AST]) -> set[type[ast.AST]]:
    classes = {cls for cls in vars(ast).values() if isinstance(cls, type) and issubclass(cls, base) and cls is not base}
    return {cls for cls in classes if cls.__name__ not in NEVER_PARSED}


def test_every_statement_and_expression_is_in_the_table() -> None:
    assert set(TABLE) == (concrete(ast.stmt) | concrete(ast.expr)) - INSIDE_OTHERS


def test_every_pattern_has_a_function() -> None:
    assert set(PATTERNS) == concrete(ast.pattern)


def test_every_operator_has_a_kind() -> None:
    assert set(BINARY) == concrete(ast.operator)
    assert set(FOLDED) == set(BINARY.values()) - {"@"}


def test_no_construct_is_built_in_two_families() -> None:
    assert sum(len(family.TABLE) for family in FAMILIES) == len(TABLE)
    assert comprehensions in FAMILIES
