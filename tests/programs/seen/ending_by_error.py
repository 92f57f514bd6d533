"""The same after an exception that nothing catches."""

import atexit


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def fail(depth):
    if depth:
        fail(depth - 1)
    raise ValueError(depth)


atexit.register(print, "bye")
first = Noisy("first")
_private = Noisy("_private")
fail(2)
