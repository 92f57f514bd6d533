"""Generators, finalizers and exit handlers at the end see the module's names as long as they would under CPython."""

import atexit
import sys
import threading


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name, word)


def waiting():
    try:
        yield 1
    finally:
        print("closed", word)


@atexit.register
def bye():
    print("bye", word, first.name, "__file__" in globals(), sys._getframe().f_back)


word = "still here"
first = Noisy("first")
_private = Noisy("_private")
loop = [Noisy("in a loop")]
loop.append(loop)
alive = waiting()
next(alive)
threading.Thread(target=lambda: print("thread", word)).start()
