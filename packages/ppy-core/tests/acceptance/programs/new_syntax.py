"""PEP 695, 701, 709: Python 3.12 and later."""
import sys
import typing


def identity[T](x: T) -> T:
    return x


class Box[T: int, *Ts, **P]:
    def __init__(self, item: T) -> None:
        self.item = item

    def map[U](self, f: typing.Callable[[T], U]) -> "Box[U]":
        return Box(f(self.item))

    type Inner = list[T]


type Alias[K, V] = dict[K, list[V]]
type Recursive = int | list[Recursive]
type Broken = undefined_name


def bounded[T: (int, str), U: "identity"](a: T, b: U = None): ...


print(identity(3), identity.__type_params__, Box.__type_params__, Box.__parameters__, Box(2).map(str).item)
print(Alias, Alias.__value__, Alias.__type_params__, Alias[int, str], Recursive.__value__, Box.Inner.__value__)
print(bounded.__type_params__[0].__constraints__, bounded.__type_params__[1].__bound__, Box.__type_params__[0].__bound__)
print(identity.__type_params__[0].__module__, Alias.__module__, Box.__orig_bases__, Box[int].__args__)
try:
    Broken.__value__
except NameError as e:
    print(e)


class Derived[T](Box[T]):
    x: T
    y = [T for _ in range(1)]

    def get(self) -> T:
        return super().__init__, T


print(Derived.__annotations__, Derived(1).get()[1], Derived.get.__annotations__, Derived.__mro__[1].__name__)


def outer[T](x: T):
    def inner[U](y: U, z: T) -> tuple[T, U]:
        return (x, y, T, U)

    return inner


print(outer(1)(2, 3), outer(1).__qualname__, outer(1).__annotations__)
print(f"{"quotes"} {'\n'.join(["a", "b"])} {f"{f"{1}"}"}")


class Comprehension:
    items = [1, 2]
    pairs = [(i, items) for i in items if (lambda: i)()]
    try:
        bad = [items for i in items for j in items]
    except NameError as e:
        print(e)


print(Comprehension.pairs)


def isolated():
    x = "kept"
    squares = [x * x for x in range(3)]
    fs = [lambda: x for x in range(3)]
    try:
        [1 / x for x in (1, 0)]
    except ZeroDivisionError:
        pass
    return x, squares, [f() for f in fs], {x for x in "a"}, {x: y for x, y in ["ab"]}, locals()["x"]


print(isolated())


