# Global, nonlocal, builtins shadowed, deleted names, class scopes, conditional binding.
value = "global"


def reads():
    return value


def writes():
    global value
    value = "written"


def declared_unused():
    global never_made
    return "never_made" in globals()


print(reads())
writes()
print(reads(), declared_unused())
len = lambda x: "shadowed"
print(len([]))
del len
print(len([]))


def conditional(flag):
    if flag:
        y = 1
    try:
        return y
    except UnboundLocalError as e:
        return str(e)


print(conditional(1), conditional(0))


def conditional_delete(flag):
    y = 1
    if flag:
        del y
    try:
        return y
    except UnboundLocalError as e:
        return str(e)


print(conditional_delete(0), conditional_delete(1))


def in_loop(n):
    out = []
    for i in range(n):
        if i:
            out.append(prev)
        prev = i
    return out


print(in_loop(4))


def global_in_nested():
    def inner():
        global fresh
        fresh = "fresh"

    inner()
    return fresh


print(global_in_nested())
for bad in ("reads_missing", "x" * 3):
    try:
        print(eval(bad))
    except NameError as e:
        print(e)
try:
    print(undefined_name)
except NameError as e:
    print(e, e.name)
try:
    del undefined_name
except NameError as e:
    print(e)
if value:
    only_if = 1
print(only_if, __name__ == globals()["__name__"])
annotated: int = 5
unvalued: "text"
(parenthesised): float = 1.0
d = {}
d["k"]: int = 3
print(__annotations__, d)


def underscore_locals():
    _, __ = 1, 2
    __x = 3
    return _, __, __x


print(underscore_locals())


class Mangled:
    __g = "class private"

    def f(self):
        global __made
        __made = 1
        return self.__g, [self.__g for __i in range(1)]


print(Mangled().f(), _Mangled__made)
