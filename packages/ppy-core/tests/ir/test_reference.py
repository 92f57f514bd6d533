"""Reference functions: none missing; helpers that nobody sees."""

from __future__ import annotations

import sys
import traceback
from typing import Any

import pytest
from ppy_compiler.dialects import cf, py
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.dialects.py.reference import FAMILIES, TABLE
from ppy_compiler.dialects.py.reference.instructions import assemble, instruction, pop_exception, push_exception, unseen
from ppy_compiler.dialects.py.reference.run import FRAMES_PER_CALL, recursion_limits


def test_every_operation_has_one_reference_function() -> None:
    assert {op for op in (*py.OPS, *cf.OPS) if op is not Func} == set(TABLE)
    assert sum(map(len, FAMILIES)) == len(TABLE)


def test_instructions_are_functions() -> None:
    add = instruction(2, ("BUILD_TUPLE", 2))
    assert add(1, "x") == (1, "x")
    assert assemble([("LOAD_CONST", 300)])[:4] == assemble([("EXTENDED_ARG", 1), ("LOAD_CONST", 44)])[:4]


def test_the_handled_exception_is_set_and_restored() -> None:
    error = ValueError("handled")
    previous = push_exception(error)
    seen = sys.exception() if sys.version_info >= (3, 11) else None
    pop_exception(previous)
    assert seen is error
    assert sys.exception() is None


def test_unseen_functions_are_in_no_traceback() -> None:
    @unseen
    def hidden(callee: Any) -> Any:
        return callee()

    def fail() -> None:
        assert sys._getframe(1).f_code.co_name == "test_unseen_functions_are_in_no_traceback"
        raise KeyError

    with pytest.raises(KeyError) as caught:
        hidden(fail)
    names = [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)]
    assert names == ["test_unseen_functions_are_in_no_traceback", "fail"]


def test_recursion_limits_count_the_programs_calls() -> None:
    real, limit = sys.getrecursionlimit, sys.getrecursionlimit()
    with recursion_limits():
        assert sys.getrecursionlimit() == limit
        sys.setrecursionlimit(limit + 7)
        assert sys.getrecursionlimit() == limit + 7
        assert real() == (limit + 7) * FRAMES_PER_CALL
        with pytest.raises(ValueError):
            sys.setrecursionlimit(-1)
        with pytest.raises(TypeError):
            sys.setrecursionlimit("x")  # type: ignore[arg-type]
    assert sys.getrecursionlimit() == limit
