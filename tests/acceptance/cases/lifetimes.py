"""When objects die in compiled code: rebinding, temporaries, exceptions, loops, guards that fail in between."""

import gc
import sys
import weakref


class D:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)


def rebind(n: int):
    x = D("first")
    for i in range(n):
        x = D(i)
        print("bound", i)
    print("end")


def temporary():
    D("t").name
    print("after temporary")
    [D("a"), D("b")]
    print("after list")
    (D("c"), 1)[1]
    print("after tuple")


def deleted(flag):
    x = D("x")
    y = x
    del x
    print("one left")
    if flag:
        y = None
    print("maybe none left")
    return y


def returned():
    x = D("returned")
    return x


def in_container(n: int):
    items = [D(i) for i in range(n)]
    items[1] = None
    print("replaced")
    items.pop()
    print("popped")
    del items[0]
    print("deleted")
    items.clear()
    print("cleared")


def overflow_between(n: int):
    x = D("kept")
    total = 2**62
    for i in range(n):
        total += total
    print("total", total)
    x = None
    print("released")
    return total


def attribute():
    class Box: pass
    b = Box()
    b.d = D("attr")
    b.d = D("attr2")
    print("replaced")
    del b.d
    print("gone")


def closure():
    x = D("cell")

    def inner():
        return x.name

    print(inner())
    del inner
    x = 3
    print("rebound cell")


def unpack():
    a, b = D("a"), D("b")
    a, b = b, a
    print(a.name, b.name)
    a = b
    print("swapped")


def comprehension():
    print([d.name for d in [D("c1"), D("c2")]])
    print("after comprehension")


def weak():
    x = D("weak")
    r = weakref.ref(x, lambda _: print("callback"))
    print(r() is x)
    del x
    print(r())


def resurrect():
    kept = []

    class R:
        def __del__(self):
            kept.append(self)

    r = R()
    del r
    print(len(kept), sys.getrefcount(kept) > 0)


def exception_in_del():
    class Bad:
        def __del__(self):
            raise ValueError("in del")

    sys.unraisablehook = lambda u: print("unraisable", u.exc_value)
    b = Bad()
    b = None
    print("survived")
    sys.unraisablehook = sys.__unraisablehook__


def loop_variable():
    for d in [D("l1"), D("l2")]:
        pass
    print("after loop", d.name)


def conditional(n):
    x = D("cond") if n else None
    y = x or D("other")
    print("made")
    x = None
    y = None
    print("cleared")


def with_statement():
    class M:
        def __enter__(self):
            return D("entered")

        def __exit__(self, *a):
            print("exit")

    with M():
        print("body")
    with M() as d:
        print("body", d.name)
    print("after")


def match_subject():
    match [D("m1"), D("m2")]:
        case [x, _]:
            print("matched", x.name)
    print("after match")


def counts(o, n: int):
    for i in range(n):
        a = [o, o]
        b = (o, a)
        {i: o}
    del a, b


def failing_counts(o, n: int):
    for i in range(n):
        try:
            [o, (o, {"k": o}), 1 // 0]
        except ZeroDivisionError:
            pass
        try:
            max(o, o, key=o)
        except TypeError:
            pass
        try:
            o + [o]
        except TypeError:
            pass
        try:
            a, b = o, *[o, o]
        except ValueError:
            pass


def balance(f):
    o = object()
    before = sys.getrefcount(o)
    f(o, 50)
    return sys.getrefcount(o) - before


rebind(3)
temporary()
print(deleted(True))
print(deleted(False).name)
returned()
print("dropped result")
kept = returned()
in_container(4)
overflow_between(3)
overflow_between(0)
attribute()
closure()
unpack()
comprehension()
weak()
resurrect()
exception_in_del()
loop_variable()
conditional(1)
conditional(0)
with_statement()
match_subject()
print(balance(counts), balance(failing_counts))
gc.collect()
print("end of program")
