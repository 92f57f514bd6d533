# PEP 696 and class attributes of 3.13.
class Box[T = int, **P = [int]]:
    """A docstring
        with indentation
    that 3.13 strips."""

    def __init__(self):
        self.first = 1
        self.second = self.first

    def other(self):
        self.third: int = 3


print([p.__default__ for p in Box.__type_params__], repr(Box.__doc__))
print(sorted(Box.__static_attributes__), Box.__firstlineno__)


def f[T = dict[str, "U"], U: int = bool](x: T) -> U: ...


print([p.__default__ for p in f.__type_params__])


type Many[*Ts = *tuple[int, str]] = tuple[*Ts]
print(Many.__type_params__[0].__default__)


class Outer:
    default = "seen"
    type Alias[T = default] = list[T]
    def method[T = [c for c in "ab"]](self): ...


print(Outer.Alias.__type_params__[0].__default__, Outer.method.__type_params__[0].__default__)


class Inlined:
    try:
        seen = [__class__ for _ in range(1)]
    except NameError as e:
        print(e)
