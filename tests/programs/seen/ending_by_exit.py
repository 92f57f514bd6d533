"""The same after `sys.exit` with a message."""

import atexit
import sys


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def make():
    hidden = Noisy("hidden")

    def steps():
        yield hidden

    return steps()


atexit.register(print, "bye")
first = Noisy("first")
_private = Noisy("_private")
alive = make()
next(alive)
sys.exit("a message")
