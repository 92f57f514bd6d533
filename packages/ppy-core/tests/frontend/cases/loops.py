# while, for, else, break, continue, nested, through finally and with.
class Guard:
    def __enter__(self):
        print("enter")

    def __exit__(self, *exc):
        print("exit", exc[0])


def search(items, wanted):
    for i, item in enumerate(items):
        if item == wanted:
            break
    else:
        return "absent"
    return i


def nested(n):
    out = []
    for i in range(n):
        for j in range(n):
            if j == 2:
                continue
            if i == 2:
                break
            out.append((i, j))
        else:
            continue
        out.append("broke")
        if i > 1:
            break
    else:
        out.append("never broke")
    return out


def through(n):
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            with Guard():
                if i == 2:
                    continue
                print("body", i)
        finally:
            print("finally", i)
    else:
        print("else")
    while n:
        n -= 1
        try:
            if n == 1:
                return "returned"
        finally:
            print("f", n)
    return "end"


def overriding():
    for i in range(3):
        try:
            return "lost"
        finally:
            if i == 1:
                break
            continue
    return "kept"


def endless():
    n = 0
    while True:
        n += 1
        if n > 5:
            break
    while 1:
        n += 1
        if n > 8:
            return n


def variable_after():
    for i in range(3):
        pass
    for k in []:
        pass
    try:
        print(k)
    except UnboundLocalError as e:
        print(e)
    return i


def maybe_bound(flag):
    while flag:
        value = flag
        flag = None
    return value


def mutated_while_iterating():
    items = [1, 2, 3]
    for item in items:
        if item < 3:
            items.append(item + 10)
    return items


print(search("abc", "b"), search("abc", "z"))
print(nested(2), nested(4))
print(through(5), through(0))
print(overriding(), endless(), variable_after(), mutated_while_iterating())
print(maybe_bound(3))
try:
    maybe_bound(0)
except UnboundLocalError as e:
    print(e)
for a, (b, *c) in [(1, (2, 3)), (4, (5, 6, 7))]:
    print(a, b, c)
for x.y in () if False else []:  # noqa
    pass
d = {}
for d["k"] in range(3):
    pass
print(d)
