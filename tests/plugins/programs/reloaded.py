"""A library that is loaded anew has new functions, which are as good."""

import importlib

import tinylib


def f(x: float) -> float:
    return tinylib.root(x) + tinylib.cube(x)


before = tinylib.root
print(f(4.0))
importlib.reload(tinylib)
print(f(4.0), tinylib.root is before)
