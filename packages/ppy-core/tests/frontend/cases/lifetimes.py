# When the objects of named locals go: rebinding, del, the function's end, handlers, loops, comprehensions.
class D:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def rebind():
    a = D("a1")
    print("before")
    a = D("a2")
    print("after")
    b = D("b")
    del b
    print("deleted")
    c = D("c")
    print("end")


def returned():
    a = D("a")
    r = D("r")
    return r


def loop():
    for i in range(2):
        d = D(i)
        print("turn", i)
    print("loop done")


def params(p, q):
    print("in", p.name)
    p = None
    print("p is gone")


def handler():
    d = D("before")
    try:
        e = D("inside")
        raise ValueError(D("arg").name)
    except ValueError as err:
        print("caught", err)
    print("after handler")


def cells():
    c = D("cell")

    def inner():
        return c

    c = D("cell2")
    print("rebound")
    return inner().name


def swap():
    a, b = D("x"), D("y")
    a, b = b, a
    print(a.name, b.name)


def argument_temporaries():
    print(D("temp").name)
    D("dropped")
    print("after")


rebind()
r = returned()
print("kept")
del r
loop()
params(D("p"), D("q"))
handler()
print(cells())
swap()
argument_temporaries()
m = D("module1")
m = D("module2")
print("module rebound")
del m
