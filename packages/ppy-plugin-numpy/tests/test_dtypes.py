"""The model of number types against NumPy's own answers, for every pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from ppy_plugins.numpy import dtypes
from ppy_plugins.numpy.dtypes import ALL, DType, Weak, promote, result_type, safe, same_kind

PAIRS = list(itertools.product(ALL, repeat=2))
EXAMPLES = {Weak.INT: 1, Weak.FLOAT: 1.0, Weak.COMPLEX: 1j}


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_each_type_is_numpys(dtype: DType) -> None:
    theirs = np.dtype(dtype.name)
    assert (theirs.kind, theirs.itemsize, theirs.char, theirs.num) == (
        dtype.kind,
        dtype.itemsize,
        dtype.char,
        dtype.number,
    )


def test_other_names_mean_the_same() -> None:
    for name, dtype in dtypes.ALIASES.items():
        assert np.dtype(getattr(np, name)).name == dtype.name, name
    for name, dtype in dtypes.BUILTIN.items():
        assert np.dtype(eval(name)).name == dtype.name, name


@pytest.mark.parametrize(("left", "right"), PAIRS, ids=str)
def test_pairs(left: DType, right: DType) -> None:
    assert promote(left, right).name == np.promote_types(left.name, right.name).name
    assert safe(left, right) == np.can_cast(left.name, right.name, "safe")
    assert same_kind(left, right) == np.can_cast(left.name, right.name, "same_kind")


@pytest.mark.parametrize("scalars", [(s,) for s in Weak] + list(itertools.product(Weak, repeat=2)), ids=str)
@pytest.mark.parametrize("dtype", [None, *ALL], ids=str)
def test_python_numbers_are_weak(dtype: DType | None, scalars: tuple[Weak, ...]) -> None:
    array = [] if dtype is None else [np.zeros(2, dtype.name)]
    ours = result_type([*([] if dtype is None else [dtype]), *scalars])
    assert ours.name == np.result_type(*array, *(EXAMPLES[s] for s in scalars)).name


def test_several_arrays() -> None:
    for operands in itertools.product(ALL, repeat=3):
        assert result_type(operands).name == np.result_type(*(np.dtype(d.name) for d in operands)).name, operands
