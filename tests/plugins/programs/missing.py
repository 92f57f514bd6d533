"""The attribute is gone, or the module is another object."""

import sys
import traceback
import types

import tinylib


def total(x: float, n: int) -> float:
    s = 0.0
    for _ in range(n):
        s += tinylib.root(x) + tinylib.LIMIT
    return s


root = tinylib.root
print(total(4.0, 3))
del tinylib.root
try:
    total(4.0, 3)
except AttributeError:
    traceback.print_exc()
tinylib.__getattr__ = lambda name: print("asked for", name) or root
print(total(4.0, 2))
tinylib.root = root
tinylib.LIMIT = 1
print(total(4.0, 2))
tinylib.LIMIT = "text"
try:
    total(4.0, 2)
except TypeError:
    traceback.print_exc()
tinylib = types.SimpleNamespace(root=lambda x: x, LIMIT=0.5)
print(total(4.0, 2))
sys.modules["tinylib"] = tinylib
import tinylib  # noqa: E402

print(total(4.0, 2), type(tinylib).__name__)
