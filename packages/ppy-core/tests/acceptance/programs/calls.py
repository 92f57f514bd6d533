"""Calls: how arguments bind, errors, evaluation order, unpacking, operators."""


def show(*args, **kwargs):
    print(args, kwargs)
    return args, kwargs


def log(x):
    print("eval", x)
    return x


def full(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, kw


class Mapping:
    def keys(self):
        return ["p", "q"]

    def __getitem__(self, k):
        return k * 2


class Callable:
    def __call__(self, a, *b):
        return a, b


print(full(1, d=4), full(1, 2, 3, 4, 5, d=6, z=7), full(*[1, 2], **{"d": 3, "c": 9}), Callable()(1, 2))
show(*"ab", 1, *[2], x=1, **{"y": 2}, **Mapping(), z=3)
show(log(1), *[log(2)], log(3), k=log(4), **{"m": log(5)})
cases = [
    lambda: full(), lambda: full(1), lambda: full(a=1, d=2), lambda: full(1, d=2, b=3), lambda: full(1, 2, 3, c=4, d=1),
    lambda: show(**{"x": 1}, **{"x": 2}), lambda: show(**{1: 2}), lambda: show(*5), lambda: show(**5), lambda: (5)(), lambda: None(),
    lambda: len(), lambda: len(1, 2), lambda: len(x=1), lambda: int("z"), lambda: "a".join([1]), lambda: [].append(), lambda: object().x,
    lambda: print(1, foo=2), lambda: max(), lambda: [1][5], lambda: {}["k"], lambda: (1,)["a"], lambda: 1 + "a", lambda: "a" + 1,
    lambda: [1] < ["a"], lambda: -"a", lambda: ~1.5, lambda: 1 in 5, lambda: iter(5), lambda: next(5), lambda: {[]: 1}, lambda: {[]},
    lambda: [*5], lambda: {**5}, lambda: (*5,), lambda: {*5}, lambda: f"{1:z}", lambda: "%d" % "x", lambda: 1 @ 2, lambda: 1 << -1,
    lambda: 2 ** "x", lambda: divmod(1, 0), lambda: setattr(5, "x", 1), lambda: Callable()(), lambda: Callable().missing(1),
    lambda: show.__call__(1), lambda: (lambda a: a)(1, 2), lambda: (lambda *, k: k)(), lambda: (lambda a, b: a)(1), lambda: str(b"x", 5),
    lambda: [1, 2][0:"x"], lambda: 5[0], lambda: None.x, lambda: None[0], lambda: 10 ** 400 * 1.0, lambda: "x" * 1.5, lambda: 0 ** -1,
    lambda: float("inf") // 0, lambda: int(float("nan")), lambda: complex(1) < 2, lambda: sorted([1, None]), lambda: sum(["a"]),
]
for number, case in enumerate(cases):
    try:
        print(number, case())
    except Exception as e:
        print(number, type(e).__name__, e)


def unpackings():
    a, (b, *c), d = 1, "xyz", 4
    *e, f = range(3)
    [g, h] = {1: 0, 2: 0}
    print(a, b, c, d, e, f, g, h)
    i = j = [0]
    i[0], j = 5, 6
    print(i, j)
    x = [1, 2, 3]
    k = 0
    k, x[k] = 2, "set"
    print(k, x)
    for bad in ((1, 2), (1, 2, 3, 4), 5, iter([1])):
        try:
            a, b, c = bad
        except (TypeError, ValueError) as e:
            print(e)
        try:
            a, *b, c, d, e = bad
            print(a, b, c, d, e)
        except (TypeError, ValueError) as e:
            print(e)


unpackings()


class Target:
    def __setattr__(self, k, v):
        print("set", k, v)

    def __setitem__(self, k, v):
        print("setitem", k, v)

    def __getitem__(self, k):
        print("getitem", k)
        return 1

    def __getattr__(self, k):
        print("getattr", k)
        return 1

    def __delattr__(self, k):
        print("delattr", k)

    def __delitem__(self, k):
        print("delitem", k)


t = Target()


def name(n):
    print("name", n)
    return t


name(1).a, name(2)[log("i")] = log("r1"), log("r2")
name(3).b += log(4)
name(5)[log(6)] *= log(7)
name(8)[log(9):log(10), ...] = log(11)
del name(12).c, name(13)[log(14)]
print(log(1) + log(2) * log(3) - (log(4), log(5))[log(0)])
print(log(1) < log(2) < log(0) < log(9), log(0) and log(1), log(0) or log(2), not log(0), log(1) if log(0) else log(3))
print({log("k1"): log("v1"), log("k2"): log("v2")}, [log(1), log(2)], {log(3)}, (log(4), *[log(5)], log(6)))
print(log("f")[log(0)], log([1, 2, 3])[log(0):log(2):log(1)], f"{log(1)}{log(2)!r:>{log(5)}}{log('x')=}")
x = 5
x += (x := 10)
print(x, (y := 3) + y, [z := 1, z + 1], any((w := v) > 2 for v in (1, 2, 3)), w)


def defaults(a=log("default a"), *, b=log("default b"), c: log("annotation") = log("default c")) -> log("returns"):
    return a, b, c


print(defaults(), defaults.__annotations__)


@(lambda f: (print("outer decorator"), f)[1])
@(lambda f: (print("inner decorator", f.__name__), f)[1])
def decorated(): ...


print(1 == 1.0 == True, 1 is 1, "a" in "abc" in ["abc"], 3 > 2 > 1 != 0, 2 ** 3 ** 2, -2 ** 2, 7 // -2, -7 % 3, 1e308 * 10, 5 // 2.0, 1j ** 2)
a = [1, 2, 3]
b = a
a += [4]
a *= 2
print(a is b, a, [*map(str, a)], "%s %r" % ("x", "y"), "{:>5}|{:<5}".format(1, 2), "a" "b", b"a" b"b", r"\n", """multi
line""")
print(*[1, 2], sep="-", end="!\n")
assert (lambda x, /, *y, z=1, **w: (x, y, z, w))(1, 2, z=3, q=4) == (1, (2,), 3, {"q": 4})
print(f"{x!s:^10}|{3.14159:.2f}|{1000000:,}|{'nested ' + f'{x}'}|{{}}|{x:{'>'}{8}}|{[1, 2]}|{ {'a': 1}['a'] }")
