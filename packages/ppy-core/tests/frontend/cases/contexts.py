# with: several managers, suppression, exits on the way out, targets, errors of the managers themselves.
import sys


class M:
    def __init__(self, name, suppress=False, fail=""):
        self.name, self.suppress, self.fail = name, suppress, fail

    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter":
            raise RuntimeError("enter " + self.name)
        return self

    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind and kind.__name__, value, tb is not None, sys.exc_info()[1])
        if self.fail == "exit":
            raise RuntimeError("exit " + self.name)
        return self.suppress


def run(*managers, error=None):
    with managers[0] as a, managers[1]:
        print("body", a.name)
        if error:
            raise error
        return "returned"
    return "after"


def looped():
    for i in range(3):
        with M(i) as m:
            if i == 0:
                continue
            if i == 1:
                break
    return m.name


def unpacked():
    class Pair:
        def __enter__(self):
            return 1, (2, 3)

        def __exit__(self, *a):
            return None

    with Pair() as (x, (y, z)), Pair() as [p, q]:
        print(x, y, z, p, q)


def grouped():
    with (
        M("a") as a,
        M("b"),
    ):
        print(a.name)


def try_it(*args, **kwargs):
    try:
        print(run(*args, **kwargs))
    except Exception as e:
        print("raised", repr(e), repr(e.__context__), sys.exc_info()[1] is e)
    print(sys.exc_info()[1])


try_it(M("a"), M("b"))
try_it(M("a"), M("b"), error=ValueError("v"))
try_it(M("a", suppress=True), M("b"), error=ValueError("v"))
try_it(M("a"), M("b", suppress=True), error=ValueError("v"))
try_it(M("a"), M("b", fail="enter"))
try_it(M("a", suppress=True), M("b", fail="exit"), error=ValueError("v"))
try_it(M("a"), M("b", fail="exit"))
print(looped())
unpacked()
grouped()
for bad in (5, type("NoExit", (), {"__enter__": lambda s: s})()):
    try:
        with bad:
            pass
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
