from __future__ import annotations

import ast

from ppy_compiler.support.spans import Span


def test_span_of_a_node_has_the_columns_of_ast() -> None:
    (statement,) = ast.parse("é = 'ü' + x\n").body
    assert isinstance(statement, ast.Assign)
    assert Span.of(statement) == Span(1, 0, 1, 13)
    assert Span.of(statement.value) == Span(1, 5, 1, 13)


def test_join_covers_all_and_contains_is_inclusive() -> None:
    joined = Span.join([Span(2, 4, 2, 9), Span(1, 7, 1, 8), Span(2, 0, 2, 3)])
    assert joined == Span(1, 7, 2, 9)
    assert joined.contains(Span(1, 7, 2, 9))
    assert not joined.contains(Span(1, 6, 1, 8))
    assert not joined.contains(Span(2, 0, 2, 10))


def test_points_are_empty() -> None:
    assert Span.point(3, 4).is_empty
    assert not Span(3, 4, 3, 5).is_empty
    assert str(Span(3, 4, 5, 6)) == "3:4-5:6"
