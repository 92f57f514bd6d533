# Generators: send, throw, close, yield from, return values, finally, delegation.
def simple(n):
    for i in range(n):
        got = yield i
        if got:
            print("got", got)
    return "done"


g = simple(3)
print(next(g), g.send("hello"), next(g))
try:
    next(g)
except StopIteration as e:
    print("value", e.value)


def guarded():
    try:
        while True:
            try:
                x = yield "ready"
                print("x", x)
            except ValueError as e:
                print("caught", e)
                yield "recovered"
    finally:
        print("closing")


g = guarded()
print(next(g), g.throw(ValueError("v")), next(g))
g.close()
g = guarded()
next(g)
try:
    g.throw(KeyError("k"))
except KeyError as e:
    print("through", e)


def inner():
    try:
        r = yield 1
        print("inner got", r)
        yield 2
    except GeneratorExit:
        print("inner closed")
        raise
    return "result"


def outer():
    r = yield from inner()
    print("r", r)
    r = yield from [10, 20]
    print("r", r)
    return (yield)


g = outer()
print(next(g), g.send("sent"), next(g), next(g), next(g))
try:
    g.send("last")
except StopIteration as e:
    print(e.value)
g = outer()
next(g)
g.close()


def empty():
    return
    yield


def expr():
    print((yield 1) + (yield 2))
    x = yield 3
    print(f"{(yield 4)}")


print(list(empty()))
g = expr()
print(next(g), g.send(1), g.send(2), g.send(None))


def stop():
    yield 1
    raise StopIteration("inside")


try:
    list(stop())
except RuntimeError as e:
    print(e, repr(e.__cause__))


def with_state():
    import sys

    try:
        raise ValueError("outer")
    except ValueError:
        yield sys.exc_info()[0].__name__
        yield sys.exc_info()[0].__name__
    yield sys.exc_info()[0]


def consumer():
    try:
        1 / 0
    except ZeroDivisionError:
        return list(with_state())


print(consumer())
print(sum(x * x for x in range(5)), list(zip((a for a in "ab"), (b for b in "cd"))))
fib = lambda: (lambda a, b: [(yield a)] and None)(0, 1)
print(fib() is not None)


def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


print(list(tree(3)))


def close_early():
    for v in simple(10):
        if v == 2:
            return v


print(close_early())
