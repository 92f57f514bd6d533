# Parameters, defaults, closures, decorators, lambdas, recursion, attributes of functions.
import inspect


def log(x):
    print("eval", getattr(x, "__name__", x))
    return x


@log(lambda f: print("dec1", f.__name__) or f)
@log(lambda f: print("dec2", f.__name__) or f)
def f(a, b=log(1), /, c=log(2), *args, d=log(3), e, **kw) -> log("ret"):
    "doc of f"
    return a, b, c, args, d, e, kw


print(f(1, e=2), f(1, 2, 3, 4, 5, e=6, z=7, d=8))
print(inspect.signature(f), f.__doc__, f.__defaults__, f.__kwdefaults__, f.__annotations__, f.__qualname__)
for args, kw in (((), {}), ((1, 2, 3), {"a": 1}), ((1,), {"e": 1, "b": 2})):
    try:
        print(f(*args, **kw))
    except TypeError as e:
        print(e)


def counter():
    n = 0

    def up(by=1):
        nonlocal n
        n += by
        return n

    def get():
        return n

    return up, get


up, get = counter()
print(up(), up(5), get(), up.__closure__[0].cell_contents, up.__code__.co_freevars)


def late():
    def g():
        return v

    try:
        g()
    except NameError as e:
        print(e)
    v = 1
    r = [g()]
    v = 2
    r.append(g())
    del v
    try:
        g()
    except NameError as e:
        print(e)
    try:
        v
    except UnboundLocalError as e:
        print(e)
    return r


print(late())


def params_captured(a, b):
    def inner():
        return a, b

    a += 1
    return inner()


print(params_captured(1, 2))


def deep(n):
    def level1():
        def level2():
            nonlocal n
            n *= 2
            return lambda: n

        return level2()

    return level1()()


print(deep(4))


def uses_global():
    global made
    made = 5
    return made


print(uses_global(), made)


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


def inner_recursion(n):
    def walk(k):
        return k and k + walk(k - 1)

    return walk(n)


print(fact(20), inner_recursion(5))
mutable = lambda x, acc=[]: acc.append(x) or acc
print(mutable(1), mutable(2), (lambda *a, **k: (a, k))(1, k=2), (lambda: (yield))().__class__.__name__)
l4 = lambda x=lambda y=lambda z=1: z: y(): x()
print(l4(), [(lambda: 1)(), (lambda: 2)()])


def annotated(x: int, *args: "str", y: list[int] = None, **kw: undefined if False else float) -> None:
    local: undefined_name = 5
    return local


print(annotated(1), annotated.__annotations__)


def docstring_only():
    """only"""


print(docstring_only(), docstring_only.__doc__)


def early(x):
    if x:
        return
    print("not early")


early(1), early(0)


def args_order(*, k=log("k"), j):
    return k, j


print(args_order(j=log("j")), args_order.__kwdefaults__)
