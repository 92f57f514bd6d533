"""Attributes and methods while classes and objects change between two turns of the same operations."""


class Point:
    kind = "class"

    def __init__(self, x):
        self.x = x
        self.y = [x]

    def method(self, *args):
        return ("method", self.x, args)


class Slotted:
    __slots__ = ("x", "y")
    kind = "slots"

    def __init__(self, x):
        self.x = x
        self.y = [x]

    def method(self, *args):
        return ("slotted", args)


def attempt(action, *args):
    try:
        return action(*args)
    except (AttributeError, TypeError) as error:
        return type(error).__name__, str(error)


def read(o):
    return o.x, o.y, o.kind, o.method(1, 2)


def write(o, value):
    o.x = value
    o.x += 1
    o.kind = value
    return o.x


def look(*objects):
    for turn in range(4):
        for o in objects:
            print(turn, attempt(read, o))


def store(*objects):
    for turn in range(20):
        for o in objects:
            answer = attempt(write, o, turn)
            if turn in (0, 18, 19):
                print(turn, answer)


def changing_class():
    a, b = Point(1), Point(2)
    look(a, b)
    Point.kind = "later"
    look(a)
    Point.method = lambda self, *args: "replaced"
    look(a, b)
    Point.x = property(lambda self: "property")
    look(a)
    store(a)
    del Point.x
    look(a)
    Point.__getattr__ = lambda self, name: ("hook", name)
    del a.x
    look(a, b)
    del Point.__getattr__
    look(a, b)


def changing_objects():
    a, b, c = Point(1), Point(2), Slotted(3)
    look(a, b, c)
    store(a, b, c)
    b.method = lambda *args: ("own", args)
    look(a, b, c)
    a.__dict__ = {"x": "another dict", "y": 0}
    look(a, b)
    a.__class__ = type("Derived", (Point,), {"kind": "derived"})
    look(a, b)
    store(a, b)
    del b.x, b.method, c.x
    look(a, b, c)
    vars(b)[1] = 2
    store(b)
    look(b)


changing_class()
changing_objects()
