"""When objects die."""
import sys
import weakref


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)

    def method(self):
        print("method", self.name)
        return self

    def __add__(self, other):
        return Noisy(self.name + other.name)

    def __enter__(self):
        return self

    def __exit__(self, *a):
        print("exit", self.name)


def rebinding():
    x = Noisy("a")
    x = Noisy("b")
    print("rebound")
    y = x
    del x
    print("deleted one of two")
    del y
    print("deleted both")


def temporaries():
    Noisy("t1")
    print("after t1")
    Noisy("t2").method()
    print("after t2")
    print((Noisy("l") + Noisy("r")).name)
    print("after sum")
    [Noisy("in list")][0].method()
    print("after list")


def parameters(p, q=None):
    del p
    print("parameter deleted")
    q = None
    print("parameter rebound")


def loops():
    for i in range(3):
        o = Noisy(f"loop{i}")
    print("loop over", o.name)
    for o in [Noisy("e0"), Noisy("e1")]:
        pass
    print("second loop over")


def exceptions():
    try:
        held = Noisy("held")
        raise ValueError(Noisy("argument"))
    except ValueError as e:
        print("caught", e.args[0].name)
    print("handler left")
    held = None
    print("held released")


def unwinding():
    local = Noisy("local")
    if local.name:
        raise KeyError("k")
    return local


def with_block():
    with Noisy("manager") as m:
        print("inside")
    print("after with")
    del m
    print("manager name deleted")


def returned():
    keep = Noisy("returned")
    other = Noisy("other")
    return keep


def conditional(flag):
    x = Noisy("cond")
    if flag:
        x = None
        print("released early")
    else:
        print("kept")
    print("end of conditional")


def swapped():
    a, b = Noisy("A"), Noisy("B")
    a, b = b, a
    print(a.name, b.name)
    del a
    print("a deleted")


def cells():
    captured = Noisy("captured")

    def inner():
        return captured.name

    print(inner())
    captured = None
    print("captured released")
    return inner


def generator():
    g = Noisy("in generator")
    yield 1
    print("resumed")
    g = None
    yield 2
    h = Noisy("abandoned")
    yield 3


rebinding()
temporaries()
parameters(Noisy("p"), Noisy("q"))
loops()
exceptions()
try:
    unwinding()
except KeyError:
    print("in handler")
print("after handler")
with_block()
r = returned()
print("got", r.name)
r = None
conditional(True)
conditional(False)
swapped()
f = cells()
it = generator()
print(next(it), next(it), next(it))
it.close()
print("closed")
it = generator()
next(it)
del it
print("generator deleted")
w = weakref.ref(Noisy("weak"))
print(w() is None)
o = Noisy("refcount")
print(sys.getrefcount(o) - 1)
d = {"k": o}
del o
d.clear()
print("cleared")
x = [Noisy("m0"), Noisy("m1")]
x[0] = x[1]
print("item replaced")
x = None
last = Noisy("module end")
print("end")
