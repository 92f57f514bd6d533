# match: every pattern, guards, captures, order of evaluation.
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum


@dataclass
class Point:
    x: int
    y: int


class Color(Enum):
    RED = 1
    BLUE = 2


P = namedtuple("P", "a b")


def kind(v):
    match v:
        case None | True | False:
            return "singleton"
        case 0 | 1.5 | -3 | 2 + 1j:
            return "number"
        case "text" | b"bytes":
            return "string"
        case Color.RED:
            return "red"
        case [] | ():
            return "empty"
        case [x]:
            return f"one {x}"
        case [1, *_, 9]:
            return "1..9"
        case [first, *rest] if len(rest) > 2:
            return f"long {first} {rest}"
        case (a, b):
            return f"pair {a} {b}"
        case [_, _, _]:
            return "three"
        case {"type": "circle", "r": r, **others}:
            return f"circle {r} {others}"
        case {"k": {"deep": [_, d, *_]}}:
            return f"deep {d}"
        case {}:
            return "mapping"
        case Point(0, y=0):
            return "origin"
        case Point(x=x, y=y) if x == y:
            return f"diagonal {x}"
        case Point(x, y):
            return f"point {x} {y}"
        case int(n) | float(n):
            return f"num {n}"
        case str() as s:
            return f"str {s}"
        case (set() | frozenset()) as s:
            return f"set {len(s)}"
        case _:
            return "other"


for value in (
    None, True, 0, 1.5, -3, 2 + 1j, "text", b"bytes", Color.RED, Color.BLUE, [], (), [7], [1, 2, 9], [1, 9], [1, 2, 3, 4], (5, 6),
    [5, 6, 7], {"type": "circle", "r": 2, "z": 1}, {"k": {"deep": [1, 2, 3]}}, {"a": 1}, {}, Point(0, 0), Point(2, 2), Point(1, 2),
    42, 2.5, "other", {1}, frozenset(), object, P(1, 2), range(3), iter([]),
):  # fmt: skip
    print(type(value).__name__, kind(value))


def binds(v):
    a = b = "unset"
    match v:
        case [a, 1]:
            r = "first"
        case [b, 2] if b > 5:
            r = "second"
        case [a, b]:
            r = "third"
        case _:
            r = "none"
    return r, a, b


for v in ([1, 1], [3, 2], [9, 2], [1, 3], 5):
    print(binds(v))


class Loud:
    __match_args__ = ("first", "second")

    def __getattr__(self, name):
        print("get", name)
        if name == "missing":
            raise AttributeError(name)
        return name


def loud(v):
    match v:
        case Loud("no", second=2):
            return 1
        case Loud(missing=m):
            return 2
        case Loud("first", s, third=t):
            return s, t


print(loud(Loud()))


def errors(v):
    match v:
        case int(a, b):
            return a, b


def twice(v):
    match v:
        case Loud("first", first=f):
            return f


for call in (lambda: errors(5), lambda: twice(Loud())):
    try:
        print(call())
    except TypeError as e:
        print(e)

command = "go north"
match command.split():
    case ["go", ("north" | "south") as direction]:
        print(direction)
    case [action]:
        print(action)
print(direction)


class InClass:
    match (1, 2):
        case (x, y):
            z = x + y


print(InClass.x, InClass.z)


def in_loop(items):
    out = []
    for item in items:
        match item:
            case 0:
                continue
            case -1:
                break
            case [*xs]:
                out += xs
            case n:
                out.append(n)
    return out


print(in_loop([1, 0, [2, 3], -1, 4]))


def closure(v):
    match v:
        case {"n": n, **rest}:
            return (lambda: (n, rest))()


print(closure({"n": 1, "m": 2}))
