# Calls: argument forms, order, method binding, errors.
def log(x):
    print("eval", getattr(x, "__name__", x))
    return x


def show(*a, **k):
    print(a, k)


class T:
    def m(self, *a, **k):
        return a, k

    @classmethod
    def c(cls, x):
        return cls.__name__, x

    @staticmethod
    def s(x):
        return x

    def __getattr__(self, name):
        print("getattr", name)
        return lambda *a: (name, a)


t = T()
nothing = None
log(show)(log(1), *log([2]), log(3), *log((4,)), k=log(5), **log({"z": 6}), y=log(7), **log({"w": 8}))
show(*[1, 2])
show(**{"a": 1})
show(*(), **{})
show(*range(3), x=1)
t.m(log(1), k=log(2))
print(t.m(1, *[2], **{"k": 3}), t.c(1), t.s(2), T.c(3), t.dynamic(4))
t.own = lambda x: ("own", x)
print(t.own(5), (t.m)(6), getattr(t, "m")(7))
for bad in (
    lambda: show(*5),
    lambda: show(**5),
    lambda: show(**{1: 2}),
    lambda: show(a=1, **{"a": 2}),
    lambda: show(**{"a": 1}, **{"a": 2}),
    lambda: t.m.missing,
    lambda: nothing(),
    lambda: log("callee").nope(log("not reached")),
):
    try:
        bad()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
print([*[1], *"ab", 2], (*[1], 2), {*[1], 2}, {"a": 1, **{"b": 2}, "a": 3}, [*[]], {**{}})
print(
    "chained"
    .upper()
    .center(
        11, "*"
    )
)
many = dict(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9, j=10, k=11, l=12, m=13, n=14, o=15, p=16, q=17, r=18)
print(sum(many.values()), max(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32))
