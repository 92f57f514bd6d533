"""`ppy.check[T](v)` returns v itself or says where it is not a T; `ppy.assume[T](v)` looks at nothing."""

from __future__ import annotations

import array
import collections
import collections.abc as abc
import dataclasses
import enum
import sys
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, NotRequired, Protocol, TypedDict, TypeVar

import ppy
import pytest

T = TypeVar("T")
Bounded = TypeVar("Bounded", bound=int)
Either = TypeVar("Either", int, str)
UserId = NewType("UserId", int)


class Colour(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    left: int
    right: str = ""


@dataclasses.dataclass
class Node:
    value: int
    children: list[Node] = dataclasses.field(default_factory=list)
    label: Annotated[str, ppy.Length(1, None)] | None = None
    kind: typing.ClassVar[str] = "node"


@dataclasses.dataclass
class Box(Generic[T]):
    item: T
    items: list[T]


class Movie(TypedDict):
    name: str
    year: NotRequired[int]


class Sized2(Protocol):
    def size(self) -> int: ...


@typing.runtime_checkable
class Closable(Protocol):
    def close(self) -> None: ...


class Broken:
    def __repr__(self) -> str:
        raise ValueError


GOOD: list[tuple[Any, Any]] = [
    (int, 3),
    (int, True),
    (float, 1.5),
    (bool, True),
    (str, "x"),
    (bytes, b"x"),
    (None, None),
    (type(None), None),
    (Any, object()),
    (object, 3),
    (complex, 1j),
    (ppy.Dynamic, object()),
    (ppy.i8, -128),
    (ppy.u64, 2**64 - 1),
    (ppy.f32, 0.5),
    (ppy.f32, float("inf")),
    (ppy.f32, float("nan")),
    (ppy.f16, 65504.0),
    (ppy.bf16, 1.5),
    (ppy.f64, 0.1),
    (list, [1, "x"]),
    (list[int], []),
    (list[int], [1, 2]),
    (list[list[int]], [[1], []]),
    (typing.List[int], [1]),  # noqa: UP006
    (tuple[int, ...], (1, 2, 3)),
    (tuple[int, str], (1, "x")),
    (tuple[()], ()),
    (tuple, (1, "x")),
    (dict[str, int], {"a": 1}),
    (defaultdict[str, int], defaultdict(int, a=1)),
    (OrderedDict[str, int], OrderedDict(a=1)),
    (Counter[str], Counter("aab")),
    (set[int], {1}),
    (frozenset[str], frozenset("a")),
    (deque[int], deque([1])),
    (abc.Sequence[int], (1, 2)),
    (abc.Sequence[str], "text"),
    (abc.Mapping[str, int], {"a": 1}),
    (abc.Collection[int], {1}),
    (abc.Iterable, iter([])),
    (abc.Iterator[int], iter(["not looked at"])),
    (abc.Callable[[int], str], len),
    (Callable, print),
    (int | None, None),
    (int | str, "x"),
    (typing.Optional[list[int]], [1]),  # noqa: UP045
    (Literal[1, "a", None], "a"),
    (Literal[Colour.RED], Colour.RED),
    (Colour, Colour.RED),
    (type, int),
    (type[int], bool),
    (type[int | str], str),
    (type[Any], dict),
    (type[Bounded], bool),
    (UserId, 5),
    (T, object()),
    (Bounded, 3),
    (Either, "x"),
    (Pair, Pair(1, "x")),
    (Node, Node(1, [Node(2)], "x")),
    (Box[int], Box(1, [2])),
    (Box, Box(1, ["x"])),
    (Movie, {"name": "x"}),
    (Movie, {"name": "x", "year": 1, "more": 2}),
    (Closable, sys.stdout),
    (Annotated[int, ppy.Range(0, 10), "other people's"], 10),
    (Annotated[float, ppy.Range(0.0, None)], 1e300),
    (Annotated[list[int], ppy.Length(2)], [1, 2]),
    (Annotated[str, ppy.Length(0, 3)], "abc"),
    (ppy.Owned[list[int]], [1]),
    (ppy.Buffer[float], array.array("d", [1.0])),
    (ppy.Buffer[float], array.array("f", [1.0])),
    (ppy.Buffer[ppy.f32], array.array("f", [1.0])),
    (ppy.Buffer[int], bytearray(b"x")),
    (ppy.Buffer[ppy.u8], b"x"),
    (ppy.Buffer[ppy.i32], memoryview(array.array("i", [1]))),
    (ppy.Buffer[bool], memoryview(b"\1").cast("?")),
    (ppy.Buffer, b"anything"),
    (Annotated[ppy.Buffer[int], ppy.Contiguous], memoryview(b"abcd")),
    (Annotated[ppy.Buffer[int], ppy.Shape(2, None)], memoryview(b"abcd").cast("B", (2, 2))),
    (Annotated[ppy.Buffer[int], ppy.Shape("n", "n")], memoryview(b"abcd").cast("B", (2, 2))),
]


@pytest.mark.parametrize(("wanted", "value"), GOOD, ids=lambda x: str(x)[:40])
def test_good_values_come_back_themselves(wanted: Any, value: Any) -> None:
    assert ppy.check[wanted](value) is value
    assert ppy.assume[wanted](value) is value


BAD: list[tuple[Any, Any, str]] = [
    (int, "x", "value: expected int, got str ('x')"),
    (int, None, "value: expected int, got None"),
    (float, 1, "value: expected float, got int (1)"),
    (bool, 1, "value: expected bool, got int (1)"),
    (complex, 1.0, "value: expected complex, got float (1.0)"),
    (None, 0, "value: expected None, got int (0)"),
    (ppy.i8, 128, "value: int (128) does not fit i8 (-128 to 127)"),
    (ppy.u8, -1, "value: int (-1) does not fit u8 (0 to 255)"),
    (ppy.i8, "x", "value: expected int, got str ('x')"),
    (ppy.f32, 0.1, "value: float (0.1) is no value of f32"),
    (ppy.f32, 1e300, "value: float (1e+300) is no value of f32"),
    (ppy.bf16, 1.0 + 2**-10, "value: float (1.0009765625) is no value of bf16"),
    (list[int], [1, "x"], "value[1]: expected int, got str ('x')"),
    (list[int], (1,), "value: expected list[int], got tuple ((1,))"),
    (list[list[ppy.u8]], [[1], [2, 256]], "value[1][1]: int (256) does not fit u8 (0 to 255)"),
    (tuple[int, str], (1, 2), "value[1]: expected str, got int (2)"),
    (tuple[int, str], (1,), "value: expected tuple[int, str], got 1 items: tuple ((1,))"),
    (tuple[()], (1,), "value: expected tuple[()], got 1 items: tuple ((1,))"),
    (dict[str, int], {1: 1}, "key of value: expected str, got int (1)"),
    (dict[str, list[int]], {"a": ["b"]}, "value['a'][0]: expected int, got str ('b')"),
    (set[int], {"x"}, "value{str ('x')}: expected int, got str ('x')"),
    (Counter[str], Counter({"a": 1.5}), "value['a']: expected int, got float (1.5)"),
    (abc.Sequence[int], "text", "value[0]: expected int, got str ('t')"),
    (abc.Callable[[], None], 3, "value: expected a callable, got int (3)"),
    (int | None, "x", "value: expected int | None, got str ('x')"),
    (list[int] | None, ["x"], "value[0]: expected int, got str ('x')"),
    (list[int] | list[str], [1.5], "value: expected list[int] | list[str], got list ([1.5])"),
    (Literal[1], True, "value: expected 1, got bool (True)"),
    (Literal["a", "b"], "c", "value: expected one of 'a', 'b', got str ('c')"),
    (Colour, 1, "value: expected Colour, got int (1)"),
    (type[int], str, "value: expected type[int], got type (<class 'str'>)"),
    (UserId, "x", "value: expected int, got str ('x')"),
    (Bounded, "x", "value: expected int, got str ('x')"),
    (Either, 1.5, "value: expected int | str, got float (1.5)"),
    (Pair, (1, "x"), "value: expected Pair, got tuple ((1, 'x'))"),
    (Pair, Pair(1, 2), "value.right: expected str, got int (2)"),  # type: ignore[arg-type]
    (Node, Node(1, [Node("x")]), "value.children[0].value: expected int, got str ('x')"),  # type: ignore[arg-type]
    (Node, Node(1, [], ""), "value.label: expected Annotated[str, Length(1, None)] | None, got str ('')"),
    (Box[int], Box(1, ["x"]), "value.items[0]: expected int, got str ('x')"),
    (Movie, {}, "value: the Movie has no key 'name'"),
    (Movie, {"name": "x", "year": "y"}, "value['year']: expected int, got str ('y')"),
    (Movie, [], "value: expected Movie, got list ([])"),
    (Closable, 3, "value: expected Closable, got int (3)"),
    (Annotated[int, ppy.Range(0, 10)], 11, "value: int (11) is not in Range(0, 10)"),
    (Annotated[float, ppy.Range(0.0, None)], float("nan"), "value: float (nan) is not in Range(0.0, None)"),
    (Annotated[list[int], ppy.Length(2)], [1], "value: length 1 is not in Length(2, 2)"),
    (ppy.Buffer[float], [1.0], "value: expected Buffer[float], got list ([1.0])"),
    (ppy.Buffer[float], b"x", "value: expected Buffer[float], got elements of format 'B' in bytes (b'x')"),
    (ppy.Buffer[ppy.i8], b"x", "got elements of format 'B'"),
    (ppy.Buffer[ppy.f64], array.array("f"), "got elements of format 'f'"),
    (ppy.Buffer[bool], b"x", "got elements of format 'B'"),
    (Annotated[ppy.Buffer[int], ppy.Contiguous], memoryview(b"abcd")[::2], "is not contiguous"),
    (Annotated[Any, ppy.Contiguous], 3, "value: expected a buffer, got int (3)"),
    (Annotated[ppy.Buffer[int], ppy.Shape(3)], b"abcd", "value: shape (4,) is not Shape(3)"),
    (Annotated[Any, ppy.Shape(3)], 3, "value: expected something with Shape(3), got int (3)"),
    (Annotated[Any, ppy.DType("float64")], 3, "value: expected dtype float64, got int (3)"),
    (int, Broken(), "value: expected int, got Broken (<no repr>)"),
    (int, "x" * 1000, "value: expected int, got str ('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...)"),
]


@pytest.mark.parametrize(
    ("wanted", "value", "said"), BAD, ids=lambda x: ascii(x)[:40] if not isinstance(x, Broken) else "broken"
)
def test_bad_values_are_named_by_their_place(wanted: Any, value: Any, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        ppy.check[wanted](value)
    text = str(caught.value)
    assert text.startswith("check failed: ")
    assert text.removeprefix("check failed: ") == said if said.startswith(("value", "key")) else said in text
    assert ppy.assume[wanted](value) is value


def test_missing_attribute() -> None:
    node = Node(1)
    del node.value
    with pytest.raises(TypeError, match=r"value\.value: the Node has no such attribute"):
        ppy.check[Node](node)


def test_data_containing_itself_ends() -> None:
    node = Node(1)
    node.children.append(node)
    assert ppy.check[Node](node) is node
    nested: list[Any] = []
    nested.append(nested)
    assert ppy.check[list[list[Any]]](nested) is nested


def test_shared_bad_data_is_not_missed_the_second_time() -> None:
    bad = ["x"]
    for _ in range(2):
        with pytest.raises(TypeError, match=r"value\['b'\]\[0\]"):
            ppy.check[dict[str, Any] | dict[str, list[int]]]({"a": [1]}) and ppy.check[dict[str, list[int]]](
                {"a": [1], "b": bad}
            )


def test_equal_but_different_types_keep_apart() -> None:
    assert ppy.check[Literal[1]](1) == 1
    with pytest.raises(TypeError):
        ppy.check[Literal[True]](1)
    assert ppy.check[Literal[True]](True) is True


def test_unhashable_metadata() -> None:
    assert ppy.check[Annotated[int, ["unhashable"]]](1) == 1


@pytest.mark.parametrize("wanted", [3, "int", Sized2, typing.Self])
def test_what_is_no_type_is_refused(wanted: Any) -> None:
    with pytest.raises(TypeError, match=r"check: .* is (not a type|a protocol that)"):
        ppy.check[wanted]


class Duck:
    shape = (2, 3)
    dtype = "float64"


def test_arrays_of_libraries_are_asked_by_attribute() -> None:
    duck = Duck()
    assert ppy.check[Annotated[Duck, ppy.Shape(2, 3), ppy.DType("float64")]](duck) is duck
    with pytest.raises(TypeError, match=r"shape \(2, 3\) is not Shape\('n', 'n'\)"):
        ppy.check[Annotated[Duck, ppy.Shape("n", "n")]](duck)
    with pytest.raises(TypeError, match="expected dtype float32, got float64"):
        ppy.check[Annotated[Duck, ppy.DType("float32")]](duck)


@pytest.mark.min_python(3, 12)
def test_type_statements() -> None:
    namespace: dict[str, Any] = {}
    exec("type Tree = int | list[Tree]\ntype Plain[T] = list[T]", namespace)
    tree = namespace["Tree"]
    assert ppy.check[tree]([1, [2, [3]]]) == [1, [2, [3]]]
    with pytest.raises(TypeError, match="check failed"):
        ppy.check[tree]([1, ["x"]])
    assert ppy.check[namespace["Plain"][int]]([1]) == [1]
    with pytest.raises(TypeError, match=r"value\[0\]: expected int"):
        ppy.check[namespace["Plain"][int]](["x"])


def test_iterators_are_not_consumed() -> None:
    numbers = iter([1, 2])
    ppy.check[abc.Iterator[str]](numbers)
    assert list(numbers) == [1, 2]
    assert list(collections.ChainMap({"a": 1})) == ["a"]
    assert ppy.check[collections.ChainMap[str, int]](collections.ChainMap({"a": 1}))
