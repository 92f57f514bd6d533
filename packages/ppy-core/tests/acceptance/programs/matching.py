"""Structural pattern matching in full."""
import collections
import dataclasses
import enum


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Color(enum.Enum):
    RED = 0
    BLUE = 1


class Custom:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def describe(value):
    match value:
        case None | True | False:
            return f"singleton {value}"
        case 0 | 1.5 | -3 | 2 + 3j:
            return "number literal"
        case "text" | b"bytes":
            return "string literal"
        case Color.RED:
            return "red"
        case int(n) if n > 100:
            return f"big {n}"
        case int():
            return "int"
        case float(f) | complex(real=f):
            return f"float-like {f}"
        case str() as s if (length := len(s)) > 3:
            return f"long {s} {length}"
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [1, *rest]:
            return f"starts with 1 then {rest}"
        case [first, *_, last] if first == last:
            return f"same ends {first}"
        case [Point(x=0), Point(y=y)]:
            return f"points {y}"
        case (a, (b, c)):
            return f"nested {a} {b} {c}"
        case {"kind": "circle", "r": r}:
            return f"circle {r}"
        case {"kind": kind, **others}:
            return f"{kind} with {others}"
        case {1: _, Color.BLUE: v}:
            return f"blue {v}"
        case {}:
            return "mapping"
        case Point(0, 0):
            return "origin"
        case Point(x, y=0):
            return f"on x axis {x}"
        case Point(x=px, y=py) as p:
            return f"point {px} {py} {p}"
        case Custom(a, b=Custom(c, _)):
            return f"custom {a} {c}"
        case Custom(int() | str() as q):
            return f"custom one {q}"
        case _:
            return f"other {type(value).__name__}"


for value in (None, True, 0, 1.5, -3, 2 + 3j, "text", b"bytes", Color.RED, Color.BLUE, 101, 5, 2.5, 7j, "abc", "abcd", [], [9], (1, 2, 3),
              [4, 5, 4], [Point(0, 1), Point(2, 3)], (1, (2, 3)), {"kind": "circle", "r": 2}, {"kind": "box", "w": 1}, {1: 0, Color.BLUE: 7},
              {}, {"z": 1}, Point(0, 0), Point(3, 0), Point(1, 2), Custom(1, Custom(2, 3)), Custom("s", 1), Custom(1.5, 2), {1, 2},
              "ab", range(3), collections.deque([1, 2]), collections.OrderedDict(kind="o"), bytearray(b"x"), iter([]), [1, 2, 3, 4]):
    print(repr(value) if not isinstance(value, (Custom, type(iter([])))) else type(value).__name__, "->", describe(value))


def binding(command):
    match command.split():
        case ["go", ("north" | "south") as direction]:
            return direction
        case ["get", *objects] if objects:
            return objects
        case [verb]:
            return verb
    return None


print(binding("go north"), binding("get a b"), binding("get"), binding("x y z"))
match 5, 6:
    case a, b:
        print(a, b)


class Bad:
    __match_args__ = ["x"]


class Few:
    __match_args__ = ("x",)
    x = 1


for subject, build in ((Bad(), lambda s: match_bad(s)), (Few(), lambda s: match_few(s)), (1, lambda s: match_int(s)), ({}, lambda s: match_dup(s))):
    try:
        print(build(subject))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)


def match_bad(s):
    match s:
        case Bad(x):
            return x


def match_few(s):
    match s:
        case Few(x, y):
            return x, y


def match_int(s):
    match s:
        case int(a, b):
            return a


def match_dup(s):
    match s:
        case Few(x, x=y):
            return y


for subject, build in ((Bad(), match_bad), (Few(), match_few), (1, match_int), (Few(), match_dup)):
    try:
        print(build(subject))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
