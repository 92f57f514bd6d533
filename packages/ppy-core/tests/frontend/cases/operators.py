# Operators, comparisons, short circuits, conditional expressions, :=, constants.
class Loud:
    def __init__(self, name, truth=True):
        self.name, self.truth = name, truth

    def __bool__(self):
        print("bool", self.name)
        return self.truth

    def __lt__(self, other):
        print(self.name, "<", other.name)
        return Loud(f"({self.name}<{other.name})", self.truth)

    def __eq__(self, other):
        print(self.name, "==", getattr(other, "name", other))
        return Loud("eq", self.truth)

    def __contains__(self, item):
        print("contains", item)
        return self.truth

    def __repr__(self):
        return f"Loud({self.name})"

    __hash__ = None


def short_circuits(a, b, c):
    print(a and b, a or b, a and b or c, (a or b) and c, not a)
    if a and (b or c):
        print("yes")
    elif not (a or b):
        print("neither")
    else:
        print("no")
    while a and not b:
        print("once")
        break
    print(a if b else c, (a if b else c) if c else b)


def chains(a, b, c):
    print(a < b < c)
    print(a < b == c)
    if a < b < c:
        print("ordered")
    if not a < b < c:
        print("not ordered")
    print(1 < 2 < 3 != 3, 1 in [1] == True)
    print(1 in b, 1 not in b, a is b, a is not b, None is None)


def walrus(data):
    if (n := len(data)) > 2 and (m := n * 2):
        print(n, m)
    print([y := 1, y**2, y])
    while (item := data.pop() if data else None) is not None:
        print(item)
    total = 0
    print([total := total + v for v in range(4)], total)
    print(any((hit := v) > 2 for v in range(9)), hit)


def constants():
    return (1, 2, (3, "x")), -1, ~5, 1 + 2 * 3, "a" "b" + "c", 2**10, -(2**63), 7 // 2, 1 - 2j, not 0, (), 10 % 3, 1 << 4, "ab" * 2


def same_constant():
    return (1, 2, 3)


def unfolded():
    for make in (lambda: 1 / 0, lambda: 1 << -1, lambda: "a" + 1, lambda: (1, 2)[5], lambda: -"x"):
        try:
            make()
        except Exception as e:
            print(type(e).__name__, e)


for t in (True, False):
    for u in (True, False):
        short_circuits(Loud("a", t), Loud("b", u), Loud("c"))
        chains(Loud("a", t), Loud("b", u), Loud("c"))
walrus([1, 2, 3])
print(constants(), same_constant() is same_constant())
unfolded()
print([x for x in [1, 2] if x not in {3, 2}], "abc"[1], b"abc"[0])
print("%s and %r" % (1, "x"), "%5s|%-5s|%.2s" % ("a", "b", "cde"), "100%% %s" % ("x",), "%d" % (3,))
print(1 if 0 else 2, 0 or None, 1 and 2 and 3, __debug__)
x = 5
print(-x, +x, ~x, not x, x @ x if hasattr(x, "__matmul__") else "no @")
