# Scopes, nesting, conditions, closures over iteration variables, walrus, class scope, errors.
x = "outer"
print([x for x in range(3)], x)
print({x: y for x, y in zip("ab", [1, 2])}, {x % 3 for x in range(9)} == {0, 1, 2})
print([(i, j) for i in range(3) if i != 1 for j in range(i) if j >= 0 or i])
print([[j * i for j in range(3)] for i in range(3)], sum(k for k in range(10) if k % 2 if k > 3))
funcs = [lambda: i for i in range(3)]
print([f() for f in funcs])
funcs = [lambda i=i: i for i in range(3)]
print([f() for f in funcs])


def f(n, m):
    i = "kept"
    total = [i * n for i in range(m)]
    fs = [(lambda: i + j) for i in range(2) for j in range(2)]
    again = [[i for i in range(k)] for k in range(3)]
    print(i, total, [g() for g in fs], again, [i for i in [i]])
    return {k: [v + n for v in range(k)] for k in range(m)}


print(f(2, 3))


class C:
    items = [1, 2, 3]
    size = 2
    doubled = [i * 2 for i in items]
    try:
        bad = [i * size for i in items]
    except NameError as e:
        print(e)
    lazily = list(i for i in items)
    nested = [[j for j in range(i)] for i in items]

    def method(self):
        return [__class__.__name__ for _ in range(2)]


print(C.doubled, C.lazily, C.nested, C().method(), hasattr(C, "i"))


def walrus(data):
    found = [last := d for d in data if (half := d / 2) > 1]
    inner = [[t := a + b for a in range(2)] for b in range(2)]
    return found, last, half, inner, t


print(walrus([1, 2, 3, 4]))
print([w := 5 for _ in range(1)], w)


def shadow():
    y = 1

    def g():
        return [y for y in range(3)], y

    return g(), [y + z for z in range(2)]


print(shadow())


def failing():
    v = "v"
    try:
        [1 // (2 - v) for v in range(5)]
    except ZeroDivisionError as e:
        return v, str(e)


print(failing())
gen = (print("lazy", a) or a for a in [print("first"), 2])
print("made")
print(list(gen))
try:
    (i for i in 5)
except TypeError as e:
    print(e)
print([a for a, in [(1,), (2,)]], [*(b for b in "xy"), *[1]], {**{c: 1 for c in "z"}})
print(globals().get("i", "no i"))
print([i for i in range(5) if False], [i for i in range(2) if True])


def locals_after(n):
    z = [n for n in range(n)]
    return n, z


print(locals_after(3))
