"""Generators: values, sending, throwing, closing, delegation, handled exceptions."""
import inspect
import sys
import types


def counter(n):
    """Counts."""
    got = None
    for i in range(n):
        try:
            got = yield (i, got)
        except ValueError as e:
            print("thrown in", e, sys.exception())
            yield "recovered"
            print("still", sys.exception())
        finally:
            print("finally", i)
    return "result"


def delegate():
    result = yield from counter(2)
    print("delegated", result)
    result = yield from [10, 20]
    print("list gave", result)
    return "end"


def handled():
    print("outer sees", sys.exception())
    try:
        1 / 0
    except ZeroDivisionError:
        yield sys.exception()
        yield sys.exception()
    yield sys.exception()


class Iterable:
    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Weird:
    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration("value")

    def send(self, value):
        print("sent", value)
        return value


def with_weird():
    print((yield from Weird()))
    try:
        yield from 5
    except TypeError as e:
        print(e)


def stops():
    yield 1
    raise StopIteration("inside")


def infinite():
    n = 0
    while True:
        n += 1
        try:
            yield n
        except GeneratorExit:
            print("exit at", n)
            raise


def ignoring():
    while True:
        try:
            yield
        except GeneratorExit:
            pass


g = counter(3)
print(inspect.isgeneratorfunction(counter), inspect.isgenerator(g), g.__name__, g.__qualname__, counter.__doc__)
print(next(g), g.send("a"), g.throw(ValueError("v")), next(g))
print(g.gi_frame.f_lineno, g.gi_running, inspect.getgeneratorstate(g))
try:
    g.throw(KeyError("k"))
except KeyError as e:
    print("out", repr(e))
print(list(counter(2)))
d = delegate()
for value in d:
    print("got", value, d.gi_yieldfrom is not None)
try:
    raise RuntimeError("around")
except RuntimeError:
    h = handled()
    print(next(h), next(h), next(h), sys.exception())
for x in with_weird():
    print("never", x)
s = stops()
print(next(s))
try:
    next(s)
except RuntimeError as e:
    print(e, repr(e.__cause__))
i = infinite()
print(next(i), next(i))
i.close()
bad = ignoring()
next(bad)
try:
    bad.close()
except RuntimeError as e:
    print(e)
print(sum(x * y for x in range(4) for y in range(x) if y % 2), dict((k, v) for k, v in zip("ab", Iterable(1, 2))))
gen = (a for a in Iterable(1, 2, 3))
print(type(gen), gen.__name__, next(gen), list(gen))
print([*counter(1)], (lambda: (yield 5))().__next__())


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


print([v for v, _ in zip(fib(), range(15))])


def early(n):
    if n:
        return
    yield


print(list(early(1)), list(early(0)), isinstance(early(1), types.GeneratorType))
try:
    counter()
except TypeError as e:
    print(e)
running = None


def self_running():
    yield next(running)


running = self_running()
try:
    next(running)
except ValueError as e:
    print(e)


def nested_finally():
    for i in range(2):
        try:
            try:
                yield i
            finally:
                print("inner", i)
                if i:
                    break
        finally:
            print("outer", i)
    yield "done"


print(list(nested_finally()))
