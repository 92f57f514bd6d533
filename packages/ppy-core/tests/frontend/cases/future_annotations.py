# Annotations kept as text, written as CPython's compiler writes them.
from __future__ import annotations


def f(a: int, b: list[int, "str"] = (), *c: not_defined | None, d: lambda x, /, *y, z=1, **k: x, **e: {1: 2, **q}) -> (yes if no else -1):
    local: nowhere[1:2, ...] = 5
    return local


class C:
    x: Dict[str, Tuple[int, ...]] = 1
    y: f"{a!r:>{w}} {{}}"
    __private: 'quoted "text"' = 2
    z: [i for i in x if i] if 0 else {a for b in c}
    w: not a and b or c < d <= e
    v: a ** -b @ c // (d, e)
    u: x.y[z](*a, k=1, **b)
    t: 1e400 + 1j - 0x10


v: undefined.attribute = 1
print(f(1, d=2), f.__annotations__)
print(C.__annotations__, __annotations__)
