"""The table of universal functions against NumPy: every function with every combination of types."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from ppy_plugins.numpy.dtypes import ALL, BY_NAME, DType, Operand, Weak
from ppy_plugins.numpy.ufuncs import BY_NAME as UFUNC_BY_NAME
from ppy_plugins.numpy.ufuncs import OPERATORS, UFUNCS, UNARY_OPERATORS, UFunc, resolve

MAJOR, MINOR = (int(part) for part in np.__version__.split(".")[:2])
VERSION = (MAJOR, MINOR)
PYTHON = {Weak.INT: int, Weak.FLOAT: float, Weak.COMPLEX: complex}


def existing(ufunc: UFunc) -> list[np.ufunc]:
    names = (ufunc.name, *ufunc.aliases)
    return [getattr(np, name) for name in names if hasattr(np, name)]


def theirs(function: np.ufunc, operands: tuple[Operand, ...]) -> tuple[str, ...] | None:
    """The names of the types of NumPy's loop."""
    given = tuple(np.dtype(o.name) if isinstance(o, DType) else PYTHON[o] for o in operands)
    try:
        return tuple(dtype.name for dtype in function.resolve_dtypes((*given, None)))
    except TypeError:
        return None


def test_the_table_holds_every_function_that_numpy_has() -> None:
    public = {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}
    assert public - UFUNC_BY_NAME.keys() <= {
        *("divmod", "frexp", "modf", "ldexp"),  # two results, or operands of different types
        *("matmul", "matvec", "vecdot", "vecmat"),  # linear algebra
        "isnat",  # dates
    }


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda ufunc: ufunc.name)
def test_loops(ufunc: UFunc) -> None:
    operands: list[tuple[Operand, ...]] = list(itertools.product(ALL, repeat=ufunc.inputs))
    if ufunc.inputs == 2:
        operands += [pair for one in itertools.product(ALL, Weak) for pair in (one, one[::-1])]
    for function in existing(ufunc):
        for given in operands:
            expected = theirs(function, given)
            loop = resolve(ufunc, given, VERSION)
            found = None if loop is None else (*(dtype.name for dtype in loop.operands), loop.result.name)
            if ufunc.of_truth and expected is not None and found is not None:
                found, expected = found[-1:], expected[-1:]
            assert found == expected, (function.__name__, given)


@pytest.mark.parametrize(("symbol", "name"), OPERATORS.items())
def test_binary_operators_are_these_functions(symbol: str, name: str) -> None:
    left, right = np.array([7, 5]), np.array([2, 3])
    result = eval(f"left {symbol} right", {"left": left, "right": right})
    assert (result == getattr(np, name)(left, right)).all()


@pytest.mark.parametrize(("symbol", "name"), UNARY_OPERATORS.items())
def test_unary_operators_are_these_functions(symbol: str, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = eval(f"{symbol}(x)", {"x": np.array([-7, 5])})
    assert (result == getattr(np, name)(np.array([-7, 5]))).all()


def test_names_are_unique() -> None:
    names = [name for ufunc in UFUNCS for name in (ufunc.name, *ufunc.aliases)]
    assert len(names) == len(set(names))
    assert BY_NAME["bool"].char == "?"
