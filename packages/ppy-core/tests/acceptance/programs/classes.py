"""Class bodies, inheritance, metaclasses, super, library machinery that looks at classes."""
import abc
import collections
import dataclasses
import enum
import functools
import typing


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, [b.__name__ for b in bases], kw)
        return collections.OrderedDict(prepared=True)

    def __new__(mcs, name, bases, namespace, **kw):
        print("new", name, [k for k in namespace if not k.startswith("__")])
        return super().__new__(mcs, name, bases, dict(namespace))

    def __init__(cls, name, bases, namespace, **kw):
        super().__init__(name, bases, namespace)
        print("init", name, __class__ is Meta)


class Base(metaclass=Meta):
    x = 1
    y = x + 1

    def method(self):
        return "base", __class__.__name__

    if x:
        z = [x for _ in range(2)]
    for i in range(3):
        pass
    del i


class Derived(Base, flag=True):
    def method(self):
        return ("derived", *super().method(), *super(Derived, self).method())

    @classmethod
    def make(cls):
        return cls, super().x

    @staticmethod
    def static(a, b=2):
        return a + b

    @property
    def prop(self):
        return self._p

    @prop.setter
    def prop(self, value):
        self._p = value * 2


class Descriptor:
    def __set_name__(self, owner, name):
        print("set_name", owner.__name__, name)

    def __get__(self, instance, owner=None):
        return "got", instance is None

    def __set__(self, instance, value):
        print("set", value)


class Hooked:
    def __init_subclass__(cls, **kw):
        print("subclass", cls.__name__, kw)


class WithHook(Hooked, option=3):
    d = Descriptor()
    __slots__ = ("a", "__private")

    def __init__(self):
        self.a = 1
        self.__private = 2

    def get(self):
        return self.__private, [__class__.__name__ for _ in range(1)]


d = Derived()
print(d.method(), Derived.make(), Derived.static(1), d.x, d.y, d.z)
d.prop = 4
print(d.prop, Derived.__qualname__, Derived.method.__qualname__, Derived.__module__, Derived.__mro__)
w = WithHook()
w.d = 5
print(w.d, WithHook.d, w.get())
try:
    w.other = 1
except AttributeError as e:
    print(e)


def factory(n):
    class Local:
        value = n

        def get(self):
            return self.value, n

        class Inner:
            deep = n + 1

    return Local


print(factory(3)().get(), factory(4).Inner.deep, factory(5).__qualname__, factory(5).Inner.__qualname__)
x = "global"


def scopes():
    x = "function"

    class C:
        print(x)
        x = "class"
        print(x)
        y = [x for x in "ab"]

        def f(self):
            return x

    return C().f(), C.y, C.x


print(scopes())


class Color(enum.Enum):
    RED = 1
    GREEN = enum.auto()

    @property
    def lower(self):
        return self.name.lower()


print(list(Color), Color.RED.lower, Color(2), Color["GREEN"])


@dataclasses.dataclass(order=True, slots=True)
class Data:
    a: int
    b: str = "b"
    c: list = dataclasses.field(default_factory=list, compare=False)


print(Data(1), Data(1) < Data(2), dataclasses.replace(Data(3), b="z"), Data.__annotations__)


class Named(typing.NamedTuple):
    x: int
    y: float = 2.0

    def total(self):
        return self.x + self.y


print(Named(1), Named(1).total(), Named._fields, Named.__module__)
Point = collections.namedtuple("Point", "x y")
print(Point(1, 2), Point.__module__)


class Abstract(abc.ABC):
    @abc.abstractmethod
    def run(self): ...


try:
    Abstract()
except TypeError as e:
    print(e)


class Typed(typing.TypedDict, total=False):
    key: int


T = typing.TypeVar("T")


class Generic(typing.Generic[T]):
    item: T

    def get(self) -> T:
        return self.item


print(Typed(key=1), Typed.__annotations__, Generic[int], T.__module__, Generic.get.__annotations__)


class Ops:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        return f"missing {name}"

    def __call__(self, *a, **k):
        return a, k

    def __getitem__(self, i):
        return i

    def __len__(self):
        return 3

    def __contains__(self, x):
        return x == self.v

    def __iter__(self):
        return iter([self.v])

    def __eq__(self, other):
        return NotImplemented

    def __lt__(self, other):
        return "lt"

    def __iadd__(self, other):
        self.v += other
        return self

    def __bool__(self):
        return False

    def __matmul__(self, o):
        return "matmul"


o = Ops(2)
print(o.nothing, o(1, k=2), o[1:2, ...], o[::2], len(o), 2 in o, 3 not in o, [*o], o == 1, o < 1, not o, o @ 1)
o += 5
print(o.v, o and 1, o or 2)


@functools.total_ordering
class Ordered:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v


print(Ordered(1) >= Ordered(1), max(Ordered(1), Ordered(5), key=lambda o: o.v).v)


class Cached:
    @functools.cached_property
    def value(self):
        print("computed")
        return 42

    @functools.lru_cache(None)
    def heavy(self, n):
        return n * 2

    @functools.singledispatchmethod
    def kind(self, a):
        return "any"

    @kind.register
    def _(self, a: int):
        return "int"


c = Cached()
print(c.value, c.value, c.heavy(2), c.kind("s"), c.kind(1))
try:
    class Bad(Base, metaclass=type(abc.ABC)):
        pass
except TypeError as e:
    print(e)
try:
    class NoSuper:
        def f(self):
            return super().missing

    NoSuper().f()
except AttributeError as e:
    print(e)


class Annotated:
    a: int
    b: "str" = "x"
    (c): float = 1.0
    d = {}
    d["k"]: int = 3

    print(__annotations__, locals().keys() >= {"a", "b"} or "b" in locals(), __qualname__, __module__)


print(Annotated.__annotations__, Annotated.__dict__.keys() - {"__static_attributes__", "__firstlineno__"})
print(type("Dynamic", (Base,), {"q": 1}).q)
