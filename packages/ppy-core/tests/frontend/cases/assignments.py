# Targets, order of evaluation, augmented assignment, del.
def show(name, value):
    print("eval", name)
    return value


class Box:
    def __init__(self):
        self.items = {}

    def __getitem__(self, key):
        print("get", key)
        return self.items.get(key, 0)

    def __setitem__(self, key, value):
        print("set", key, value)
        self.items[key] = value

    def __delitem__(self, key):
        print("del", key)

    def __setattr__(self, name, value):
        if name != "items":
            print("setattr", name, value)
        object.__setattr__(self, name, value)

    def __iadd__(self, other):
        print("iadd", other)
        return self


def targets():
    box = Box()
    show("a", box)[show("i", 1)], show("b", box).attr = show("v", 2), show("w", 3)
    x = y = show("b", box)[show("k", "key")] = show("value", 9)
    print(x, y)
    a, (b, *c), d = 1, (2, 3, 4), 5
    print(a, b, c, d)
    [p, q] = "pq"
    print(p, q)
    *head, last = range(4)
    print(head, last)
    a, b = b, a
    print(a, b)
    a, b, c = c, a, b
    print(a, b, c)
    (a), b = [1, 2]
    i = 0
    i, box[i] = 1, "late"
    return a, b, i


def augmented():
    box = Box()
    show("t", box)[show("k", 1)] += show("v", 5)
    box.n = 1
    show("t", box).n *= show("v", 7)
    box += 1
    n = 10
    n -= 3
    n **= 2
    n //= 4
    n %= 7
    n <<= 3
    n |= 1
    n ^= 5
    n &= 0xFF
    n >>= 1
    text = "a"
    text *= 3
    items = alias = [1]
    items += (2,)
    return n, text, alias


def deletion():
    box = Box()
    d = {1: 2, 3: 4}
    del d[1], box[0]
    x = 1
    y = 2
    del x, (y)
    try:
        print(x)
    except UnboundLocalError as e:
        print(e)
    try:
        del y
    except UnboundLocalError as e:
        print(e)
    x = 3
    return d, x


def errors():
    for make in (lambda: unpack2([1]), lambda: unpack2([1, 2, 3]), lambda: unpack2(5), lambda: unpack_star([])):
        try:
            make()
        except (ValueError, TypeError) as e:
            print(type(e).__name__, e)


def unpack2(v):
    a, b = v
    return a, b


def unpack_star(v):
    a, *b = v
    return a, b


print(targets())
print(augmented())
print(deletion())
errors()
g = 1
g += 1
del g
try:
    g
except NameError as e:
    print(e)
