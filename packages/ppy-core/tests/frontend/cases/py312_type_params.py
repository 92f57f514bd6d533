# PEP 695 and what 3.12 changed.
type Alias = list[Later]
type Pair[T] = tuple[T, T]
type Rec[K: int, *Ts, **P] = dict[K, Rec]


class Later: ...


print(Alias.__value__, Pair.__type_params__, Pair[int], Rec.__type_params__, Alias.__name__)


def first[T](items: list[T], default: T = None, *, key: T = 1) -> T:
    return items[0] if items else default


def bounded[T: int, U: (str, bytes)](a: T, b: U) -> dict[T, U]:
    return {a: b}


print(first([1]), first([], 5), first.__type_params__, first.__annotations__, first.__kwdefaults__)
print([p.__bound__ for p in bounded.__type_params__[:1]], bounded.__type_params__[1].__constraints__, bounded(1, "x"))


class Stack[T]:
    kind = T

    def __init__(self, *items: T):
        self.items = list(items)

    def map[U](self, f: "Callable[[T], U]") -> "Stack[U]":
        return Stack(*[f(i) for i in self.items])

    class Nested[V]:
        pair: tuple[T, V]


print(Stack.__type_params__, Stack[int], Stack(1, 2).map(str).items, Stack.Nested.__annotations__, Stack.__orig_bases__)


class Scoped:
    Name = "class attribute"
    type Sees = Name
    later_defined = 1

    def method[T: Name](self, x: Name) -> T: ...


print(Scoped.Sees.__value__, Scoped.method.__type_params__[0].__bound__, Scoped.method.__annotations__)


def outer[T](x: T):
    y = x

    class Local[U](list[U]):
        value: T = y

        def get(self) -> tuple[T, U]:
            return self.value, T.__name__

    return Local


L = outer(3)
print(L().get(), L.__type_params__, L.__mro__[1])
try:
    type Broken = undefined_thing
    Broken.__value__
except NameError as e:
    print(e)


@lambda f: print("decorated", f.__name__) or f
def decorated[T](x: T = print("default")) -> T:
    return T


print(decorated().__name__)


def reuse(x):
    return [f"{x!r:{'>'}{10}}" for x in f'{'nested "quotes"'}'][:2]


print(reuse(1))


class Base[T]:
    def __init_subclass__(cls, **kw):
        print("sub", cls.__name__, kw)


class Child[T](Base[T], tag=1): ...


bases = (Base,)


class Starry[T](*bases): ...


print(Child.__orig_bases__, Starry.__mro__[1:])
