"""Every native operation against NumPy, bit for bit, on every type and on values at all edges."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernels import ELEMENTS, Declined, kernel
from ppy_compiler.dialects.tensor import exact
from ppy_compiler.lower.tensor.abi import FLOAT, INT, ITSELF, MEAN
from ppy_plugins.numpy.dtypes import ALL, BOOL, FLOAT32, FLOAT64, INT8, INT64, UINT64, DType
from ppy_plugins.numpy.ufuncs import UFUNCS, UFunc, resolve

MAJOR, MINOR = (int(part) for part in np.__version__.split(".")[:2])
HELD = [dtype for dtype in ALL if dtype.char in ELEMENTS]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("support")


def values(dtype: DType) -> Any:
    """Edges and ordinary values of a type."""
    if dtype.kind == "b":
        return np.array([False, True, True, False])
    if dtype.kind == "f":
        edges = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.75, 1e10, -1e-10, np.inf, -np.inf, np.nan]
        tiny = [np.finfo(dtype.name).tiny, np.finfo(dtype.name).smallest_subnormal, np.finfo(dtype.name).max]
        return np.array([*edges, *tiny], dtype.name)
    limits = np.iinfo(dtype.name)
    middle = [0, 1, 2, 3, 5, 7, 64, 100] + ([-1, -2, -5, -100] if dtype.kind == "i" else [])
    return np.array([limits.min, limits.max, limits.max - 1, *middle], dtype.name)


def same(ours: Any, theirs: Any) -> bool:
    """Equal in type, shape, layout and every bit; any NaN is any other's equal."""
    if (ours.dtype, ours.shape, ours.strides) != (theirs.dtype, theirs.shape, theirs.strides):
        return False
    if ours.dtype.kind == "f":
        nans = np.isnan(theirs)
        if not (np.isnan(ours) == nans).all():
            return False
        ours, theirs = np.where(nans, 0, ours), np.where(nans, 0, theirs)
    return bool(ours.tobytes() == theirs.tobytes())


def theirs_and_warned(function: Any, *args: Any) -> tuple[Any, bool]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return function(*args), bool(caught)


def cases() -> list[tuple[UFunc, DType]]:
    found = []
    for ufunc in UFUNCS:
        for dtype in HELD:
            loop = resolve(ufunc, [dtype] * ufunc.inputs, (MAJOR, MINOR))
            if ufunc.native is None or loop is None or (loop.operands[0] != dtype and not ufunc.of_truth):
                continue
            if exact(ufunc.native, ELEMENTS[dtype.char]):
                found.append((ufunc, dtype))
    return found


@pytest.mark.parametrize(("ufunc", "dtype"), cases(), ids=lambda value: getattr(value, "name", ""))
def test_one_operation(folder: Path, ufunc: UFunc, dtype: DType) -> None:
    loop = resolve(ufunc, [dtype] * ufunc.inputs, (MAJOR, MINOR))
    assert ufunc.native is not None and loop is not None
    native, result = ufunc.native, loop.result
    run = kernel(
        folder,
        [dtype] * ufunc.inputs,
        lambda body: body.apply(native, *body.block.args, result=result),
        result,
    )
    pairs = list(itertools.product(values(dtype), repeat=ufunc.inputs))
    columns = [np.array(column, dtype.name) for column in zip(*pairs, strict=True)]
    function = getattr(np, ufunc.name)
    for row in range(len(pairs)):
        args = [column[row : row + 1] for column in columns]
        expected, warned = theirs_and_warned(function, *args)
        try:
            found = run(*args)
        except Declined:
            # NumPy warns, or would if it were asked about underflow, or the type has more to say.
            assert warned or underflows(function, args), [column[row] for column in columns]
            continue
        assert not warned, args
        assert same(found, expected), (args, found, expected)
    check_long(run, function, columns)


COMPARISONS = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal} | {
    "eq": np.equal,
    "ne": np.not_equal,
}


@pytest.mark.parametrize("kind", COMPARISONS)
@pytest.mark.parametrize("dtypes", [(INT64, UINT64), (UINT64, INT64)], ids=str)
def test_comparisons_of_signed_with_unsigned(folder: Path, kind: str, dtypes: tuple[DType, DType]) -> None:
    run = kernel(folder, list(dtypes), lambda body: body.apply(kind, *body.block.args, result=BOOL), BOOL)
    pairs = itertools.product(values(dtypes[0]), values(dtypes[1]))
    left, right = (np.array(c, d.name) for c, d in zip(zip(*pairs, strict=True), dtypes, strict=True))
    assert same(run(left, right), COMPARISONS[kind](left, right))


def underflows(function: Any, args: list[Any]) -> bool:
    with np.errstate(all="raise"):
        try:
            function(*args)
        except FloatingPointError:
            return True
    return False


def check_long(run: Any, function: Any, columns: list[Any]) -> None:
    """Vector code and its remainders: all rows at once, without gaps and with."""
    with np.errstate(all="ignore"):
        calm = [i for i in range(len(columns[0])) if not underflows(function, [c[i : i + 1] for c in columns])]
        clean = [np.resize(column[calm], 1003) for column in columns]
        for args in (clean, [column[::2] for column in clean], [column[::-1] for column in clean]):
            expected = function(*args)
            assert same(run(*args), expected)


@pytest.mark.parametrize("target", HELD, ids=str)
@pytest.mark.parametrize("source", HELD, ids=str)
def test_casts(folder: Path, source: DType, target: DType) -> None:
    run = kernel(folder, [source], lambda body: body.cast(body.block.args[0], target), target)
    for value in values(source):
        array = np.array([value], source.name)
        expected, warned = theirs_and_warned(lambda a: a.astype(target.name), array)
        try:
            found = run(array)
        except Declined:
            fits = source.kind != "f" or target.kind in "fb" or (np.isfinite(value) and int(value) == int(expected[0]))
            assert warned or not fits or underflows(lambda a: a.astype(target.name), [array]), value
            continue
        assert not warned, value
        assert same(found, expected), (value, found, expected)


SHAPES = [
    *[((3, 4), (4,)), ((3, 4), (3, 1)), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1))],
    *[((5,), (5,)), ((0, 4), (4,)), ((1, 1), (4, 1))],
]


@pytest.mark.parametrize(("left", "right"), SHAPES, ids=str)
def test_broadcasting_and_layout(folder: Path, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    run = kernel(folder, [FLOAT64] * 2, lambda body: body.apply("mul", *body.block.args), FLOAT64)
    a, b = np.random.default_rng(1).random(left), np.random.default_rng(2).random(right)
    views = [lambda x: x, lambda x: x[::-1], lambda x: np.asfortranarray(x), lambda x: x[..., ::2], lambda x: x.T]
    for first, second in itertools.product(views, repeat=2):
        for args in ((first(a), second(b)), (second(b), first(a))):
            try:
                expected = args[0] * args[1]
            except ValueError:
                with pytest.raises(Declined):
                    run(*args)
                continue
            try:
                found = run(*args)
            except Declined:
                assert expected.size == 0 or sum(n > 1 for n in expected.shape) > 1  # laid out differently
                continue
            assert same(found, expected)


def test_python_numbers(folder: Path) -> None:
    numbers = (0, 3, 1e300, 2**60, 2**70, 300)
    for dtype, kind, number in itertools.product((FLOAT64, FLOAT32, INT64, INT8), (FLOAT, INT), numbers):
        if (kind == FLOAT and dtype.kind != "f") or (kind == INT and isinstance(number, float)):
            continue
        value = float(number) if kind == FLOAT else number
        run = kernel(folder, [dtype] * 2, lambda body: body.apply("add", *body.block.args), dtype, kinds=[0, kind])
        array = np.arange(5, dtype=dtype.name)
        try:
            expected, warned = theirs_and_warned(lambda a, v: a + v, array, value)
        except OverflowError:
            expected, warned = None, True
        try:
            found = run(array, value)
        except Declined:
            assert warned or abs(value) > 2**53
            continue
        assert not warned and same(found, expected)


@pytest.mark.parametrize(
    "other",
    [
        np.ma.array([1.0, 2.0]),
        np.array([1.0, 2.0], ">f8"),
        np.array([1, 2], object),
        np.array([1.0, 2.0], "f4"),
        np.frombuffer(b"\0" * 17, np.uint8)[1:].view("f8"),
        np.array([1.0, 2.0]).view(type("Mine", (np.ndarray,), {})),
        np.float64(1.0),
        1.0,
        [1.0, 2.0],
        np.array(1.0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_such_an_array_is_declined(folder: Path, other: object) -> None:
    run = kernel(folder, [FLOAT64] * 2, lambda body: body.apply("mul", *body.block.args), FLOAT64)
    with pytest.raises(Declined):
        run(np.array([1.0, 2.0]), other)


def test_ignored_errors_do_not_decline(folder: Path) -> None:
    run = kernel(folder, [FLOAT64] * 2, lambda body: body.apply("div", *body.block.args), FLOAT64)
    with np.errstate(divide="ignore"):
        assert run(np.ones(3), np.zeros(3)).tolist() == [np.inf] * 3
    with np.errstate(divide="warn"), pytest.raises(Declined):
        run(np.ones(3), np.zeros(3))


LENGTHS = (1, 2, 7, 8, 9, 100, 127, 128, 129, 136, 1000, 8191, 8192, 8193, 10_007, 100_003, 400_000)


@pytest.mark.parametrize("purpose", [ITSELF, MEAN], ids=["sum", "mean"])
@pytest.mark.parametrize("dtype", [FLOAT64, FLOAT32], ids=str)
def test_sums_of_floats_are_rounded_as_numpys(folder: Path, dtype: DType, purpose: int) -> None:
    run = kernel(folder, [dtype] * 2, lambda body: body.apply("mul", *body.block.args), dtype, sum=purpose)
    random = np.random.default_rng(3)
    for length in LENGTHS:
        a, b = (random.standard_normal(2 * length).astype(dtype.name) for _ in range(2))
        for args in ((a[:length], b[:length]), (a[::2], b[::-2]), (a[:length], b[:1])):
            product = args[0] * args[1]
            expected = product.sum() if purpose == ITSELF else product.mean()
            if length > 8192 and (MAJOR, MINOR) < (2, 3):
                with pytest.raises(Declined):
                    run(*args)
                continue
            found = run(*args)
            assert type(found) is type(expected) and found.tobytes() == expected.tobytes(), length


def test_the_sum_of_negative_zeros_is_zero(folder: Path) -> None:
    run = kernel(folder, [FLOAT64], lambda body: body.apply("neg", *body.block.args), FLOAT64, sum=ITSELF)
    for length in (1, 7, 8, 300):
        assert run(np.zeros(length)).tobytes() == (-np.zeros(length)).sum().tobytes()


def test_sums_of_matrices(folder: Path) -> None:
    run = kernel(folder, [FLOAT64] * 2, lambda body: body.apply("sub", *body.block.args), FLOAT64, sum=ITSELF)
    a, b = np.random.default_rng(4).random((2, 40, 50))
    for args in ((a, b), (a.T, b.T), (a[:, ::2], b[:, ::2]), (np.asfortranarray(a), np.asfortranarray(b))):
        assert run(*args).tobytes() == (args[0] - args[1]).sum().tobytes()
    for args in ((a, b.T[:40, :40]), (a, b[0]), (a[:, 1:], b[:, 1:]), (a, np.asfortranarray(b))):
        with pytest.raises(Declined):
            run(*args)
    with pytest.raises(Declined):
        run(a[:0], b[:0])


@pytest.mark.parametrize("source", [d for d in HELD if d.kind in "biu"], ids=str)
def test_sums_of_integers(folder: Path, source: DType) -> None:
    target = UINT64 if source.kind == "u" else INT64
    run = kernel(folder, [source], lambda body: body.cast(body.block.args[0], target), target, sum=ITSELF)
    for length in LENGTHS:
        a = np.resize(values(source), length)
        found, expected = run(a), a.sum()
        assert type(found) is type(expected) and found == expected


def test_a_sum_that_overflows_is_numpys(folder: Path) -> None:
    run = kernel(folder, [FLOAT64] * 2, lambda body: body.apply("mul", *body.block.args), FLOAT64, sum=ITSELF)
    a = np.full(1000, 1e306)
    with pytest.raises(Declined):
        run(a, np.full(1000, 2.0))
    with np.errstate(over="ignore"):
        assert run(a, np.full(1000, 2.0)) == np.inf


LIBRARY = [ufunc for ufunc in UFUNCS if ufunc.native is None and ufunc.result is None and "d" in ufunc.loops]


@pytest.mark.parametrize("dtype", [FLOAT64, FLOAT32], ids=str)
@pytest.mark.parametrize("ufunc", LIBRARY, ids=lambda ufunc: ufunc.name)
def test_the_librarys_own_loops(folder: Path, ufunc: UFunc, dtype: DType) -> None:
    """Alone, of an operand as it lies, and in the middle of a tree, in which its arguments are in buffers."""
    if dtype.char not in ufunc.loops:
        return
    alone = kernel(folder, [dtype] * ufunc.inputs, lambda body: body.library(ufunc.name, *body.block.args), dtype)
    within = kernel(
        folder,
        [dtype] * ufunc.inputs,
        lambda body: body.apply(
            "neg", body.library(ufunc.name, *(body.apply("mul", arg, arg) for arg in body.block.args))
        ),
        dtype,
    )
    function = getattr(np, ufunc.name)
    random = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        for length in (2, 3, 8, 17, 1000, 1024, 1025, 5000):
            args = [(random.standard_normal(2 * length) * 3).astype(dtype.name) for _ in range(ufunc.inputs)]
            for given in ([a[:length] for a in args], [a[::2] for a in args], [a[::-1] for a in args]):
                assert same(alone(*given), function(*given)), length
                assert same(within(*given), -function(*(a * a for a in given))), length


def test_a_sum_of_the_librarys_values(folder: Path) -> None:
    run = kernel(
        folder, [FLOAT64], lambda body: body.library("exp", body.apply("neg", *body.block.args)), FLOAT64, sum=ITSELF
    )
    for length in (2, 7, 100, 129, 5000, 8192):
        a = np.random.default_rng(6).random(length)
        assert run(a).tobytes() == np.exp(-a).sum().tobytes()


def test_one_element_is_left_to_the_library(folder: Path) -> None:
    """NumPy hands it over with steps of zero, for which some of its loops have other code."""
    run = kernel(folder, [FLOAT32], lambda body: body.library("exp2", *body.block.args), FLOAT32)
    with pytest.raises(Declined):
        run(np.ones(1, "f4"))


def test_errors_in_the_librarys_loops(folder: Path) -> None:
    run = kernel(folder, [FLOAT64], lambda body: body.library("log", *body.block.args), FLOAT64)
    with pytest.raises(Declined):
        run(np.array([1.0, 0.0]))
    with np.errstate(divide="ignore"):
        assert run(np.array([1.0, 0.0])).tolist() == [0.0, -np.inf]
