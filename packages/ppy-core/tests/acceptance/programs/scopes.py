"""Names: closures, globals, comprehensions, deletion, unbound variables, star imports."""
from math import *
from os import path as p, sep
import os.path
import os.path as q
import xml.dom.minidom
import sys

print(floor(2.5), p is q, sep == os.sep, xml.dom.minidom.__name__)


def counter():
    n = 0

    def up(k=1):
        nonlocal n
        n += k
        return n

    def reset():
        nonlocal n
        n = 0

    return up, reset


up, reset = counter()
print(up(), up(5), reset(), up())


def late():
    fs = [lambda: i for i in range(3)]
    gs = []
    for i in range(3):
        def g(i=i, *, k=i * 2):
            return i, k
        gs.append(g)
    hs = [lambda: i]
    i = "changed"
    return [f() for f in fs], [g() for g in gs], [h() for h in hs]


print(late())
G = 1


def globals_changed():
    global G, H
    G += 1
    H = [G]
    del G
    try:
        return G
    except NameError as e:
        return str(e), H


print(globals_changed())
G = 5


def unbound(n):
    for case in range(n):
        try:
            if case == 0:
                print(x)
            elif case == 1:
                x = 1
                del x
                print(x)
            elif case == 2:
                del x
            elif case == 3:
                x = 3
                print(x)
            elif case == 4:
                def inner():
                    return later
                print(inner())
                later = 1
            elif case == 5:
                def inner2():
                    nonlocal later2
                    del later2
                later2 = 1
                inner2()
                print(later2)
            elif case == 6:
                print(undefined_global)
            elif case == 7:
                later = "now"
                print(inner())
        except NameError as e:
            print(case, type(e).__name__, e, getattr(e, "name", None))


unbound(8)
print([x for x in range(3)], [(x, y) for x in range(3) for y in range(x)], {x: x * x for x in range(3) if x}, {x % 2 for x in range(5)})
print([[y for y in range(x)] for x in range(3)], [x for x in [x for x in range(2)]], [(lambda: x)() for x in range(3)])
x = "outer"
r = [x for x in "ab"]
print(x, r)


def comp_scopes(x):
    y = [x for x in range(x)]
    fs = [lambda: x + z for z in range(2)]
    try:
        [missing for _ in range(1)]
    except NameError as e:
        print(e)
    return x, y, [f() for f in fs], [(a, b) for a, b in zip(*[iter(range(4))] * 2)], [w := v for v in range(3)], w


print(comp_scopes(4))


def shadow():
    try:
        return print.x
    except AttributeError:
        pass
    print = None
    return print


try:
    shadow()
except UnboundLocalError as e:
    print(e)


class Scope:
    a = 1
    b = [a for _ in range(2)]
    c = [i for i in range(a)]

    def method(self):
        return a

    try:
        d = [a + i for i in range(2)]
    except NameError as e:
        d = str(e)


try:
    print(Scope.b, Scope.c, Scope.d)
    Scope().method()
except NameError as e:
    print(e)
for name in ("nothing_here", "json", "os.nothing"):
    try:
        __import__(name)
        print("ok", name)
    except ImportError as e:
        print(type(e).__name__, e)
try:
    from os import nothing
except ImportError as e:
    print(str(e).split("(")[0], e.name)
try:
    import nonexistent.sub
except ModuleNotFoundError as e:
    print(e)
try:
    from . import relative
except ImportError as e:
    print(e)


def loops():
    for i in range(3):
        if i == 1:
            continue
        print(i)
    else:
        print("for else", i)
    for i in []:
        pass
    else:
        print("empty else", i)
    n = 3
    while n:
        n -= 1
        if n == 1:
            break
    else:
        print("no")
    while False:
        pass
    else:
        print("while else", n)
    for i, (a, *b) in enumerate([(1, 2, 3), "xy"]):
        print(i, a, b)
    for x.attr in ():
        pass
    d = {}
    for d["k"] in range(2):
        pass
    print(d)
    for i in range(10):
        for j in range(10):
            if j == 2:
                break
            if i == j:
                continue
            if i == 3:
                return i, j


print(loops())
del x, r
try:
    x
except NameError as e:
    print(e)
try:
    del x
except NameError as e:
    print(e)


def conditional_def(flag):
    if flag:
        def f():
            return "yes"
    else:
        f = lambda: "no"
    return f()


print(conditional_def(1), conditional_def(0))


def many(a, b, c, d):
    if a and b or c and not d:
        return 1
    elif (a or b) and (c or d):
        return 2
    return 3 if a == b != c else 4


print([many(i & 1, i & 2, i & 4, i & 8) for i in range(16)])


def star_args(*args, sep=" ", **kw):
    def inner():
        return args, sep, kw

    args += (1,)
    kw["new"] = sep
    return inner()


print(star_args(1, x=2))


class Outer:
    v = "outer"

    def f(self):
        v = "local"

        class Inner:
            nonlocal v
            w = v
            v = "rebound"

        return Inner.w, v, hasattr(Inner, "v")

    class A:
        global class_made_global
        class_made_global = 10

        def __mangled(self):
            return "m"

        def call(self):
            __local = 3
            return self.__mangled(), __local, self.__class__.__name__


print(Outer().f(), class_made_global, Outer.A().call(), [n for n in dir(Outer.A) if "mangled" in n])
print(sys.getsizeof(0) > 0, __debug__)
if __name__ == "__main__":
    print("main")
