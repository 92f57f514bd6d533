# Class statements: namespaces, metaclasses, keywords, mangling, super, descriptors, nested scopes.
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, bases, kw)
        return {"prepared": True}

    def __new__(mcs, name, bases, ns, **kw):
        print("new", name, sorted(k for k in ns if not k.startswith("__")))
        return super().__new__(mcs, name, bases, dict(ns))

    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)


class A(metaclass=Meta, option=1):
    "doc of A"
    x = 1
    y: int = 2
    z: str
    print(__module__ == __name__, __qualname__, prepared)

    def get(self):
        return self.x, __class__

    class Inner:
        def where(self):
            return __class__.__qualname__


print(A.__doc__, A.__annotations__, A().get()[1] is A, A.Inner().where(), A.get.__qualname__)


class Base:
    def __init_subclass__(cls, tag="none", **kw):
        cls.tag = tag
        print("subclass", cls.__name__, tag)

    def __init__(self, v):
        self.v = v

    def hello(self):
        return "base"

    @classmethod
    def make(cls, v):
        return cls(v)

    @property
    def twice(self):
        return self.v * 2


class Derived(Base, tag="d"):
    def __init__(self, v):
        super().__init__(v + 1)
        self.__secret = "mangled"

    def hello(self):
        return "derived " + super().hello() + super(Derived, self).hello()

    @classmethod
    def make(cls, v):
        return super().make(v * 10)

    @property
    def twice(self):
        return super().twice + 1

    def __private(self, __arg=1):
        return __arg

    def call_private(self):
        return self.__private(_Derived__arg=5), self.__secret

    def comp(self):
        return [super(Derived, self).hello() for _ in range(2)], [self.__secret for _ in "a"]

    def plain_super(self):
        s = super()
        return s.hello()


d = Derived.make(4)
print(d.v, d.hello(), d.twice, d.call_private(), d.comp(), d.plain_super(), sorted(vars(d)))

name = "global"


def factory(name, extra):
    class K:
        first = name
        name = "class"
        second = name
        listed = [extra for _ in range(2)]

        def method(self):
            return name, extra

        if extra:
            conditional = extra
        del first

    return K


K = factory("local", "extra")
print(K.name, K.second, K.listed, K().method(), K.conditional, hasattr(K, "first"))


class Reads:
    a = name
    name = "shadow"
    b = name
    global created
    created = 1

    def m(self):
        return name


print(Reads.a, Reads.b, Reads().m(), created)


def nonlocal_in_class():
    v = 1

    class N:
        nonlocal v
        v = 2
        w = v

    return v, N.w, hasattr(N, "v")


print(nonlocal_in_class())
bases = (Base,)
kwargs = {"tag": "starred"}


@lambda cls: print("decorated", cls.__name__) or cls
class Starred(*bases, **kwargs):
    pass


print(Starred.tag, Starred.__mro__[1].__name__)


class Empty:
    ...


class Slots:
    __slots__ = ("a", "__b")

    def __init__(self):
        self.a, self.__b = 1, 2


s = Slots()
print(s.a, s._Slots__b, Empty.__dict__.get("__doc__"))
try:
    s.c = 1
except AttributeError as e:
    print("no c")
try:
    class Bad(1, 2):
        pass
except TypeError as e:
    print(type(e).__name__)
try:
    class Raises:
        v = undefined_name
except NameError as e:
    print(e)


class Late:
    def use(self):
        return self.helper() + CONST

    def helper(self):
        return 1


CONST = 41
print(Late().use())
