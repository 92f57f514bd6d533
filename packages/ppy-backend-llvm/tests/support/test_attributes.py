"""Attributes through inline caches against the interpreter, while classes and objects change under them."""

from __future__ import annotations

import ctypes
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest
from native_library import context, function
from outcomes import outcome
from sample import Sample

FUNCTIONS_OFFSET = 40  # ppy_unit.functions


@pytest.fixture(scope="module")
def record() -> int:
    """A native function for the frames of the slow paths."""
    sample = Sample()
    address = ctypes.c_void_p.from_address(sample.unit + FUNCTIONS_OFFSET).value
    assert address is not None
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(sample))
    return address


class Interpreter:
    """The operations as the interpreter does them."""

    def get(self, o: Any, name: str) -> Any:
        return getattr(o, name)

    def put(self, o: Any, name: str, value: Any) -> None:
        setattr(o, name, value)

    def call(self, o: Any, name: str, *args: Any) -> Any:
        return getattr(o, name)(*args)


class Cached(Interpreter):
    """The operations as native code does them, with one cache for each operation and name; eager: learning never
    pauses."""

    def __init__(self, record: int, eager: bool = True) -> None:
        self.record = record
        self.eager = eager
        self.caches: dict[tuple[str, str], Any] = {}

    def _site(self, operation: str, name: str) -> tuple[int, Any, int, int]:
        cache = self.caches.setdefault((operation, name), ctypes.create_string_buffer(32))
        if self.eager:
            cache[4:8] = bytes(4)
        self.act = ctypes.create_string_buffer(16)
        return context(), ctypes.addressof(self.act), self.record, ctypes.addressof(cache)

    def _leave(self) -> None:
        function("ppy_act_clear")(context(), ctypes.addressof(self.act))

    def get(self, o: Any, name: str) -> Any:
        ctx, act, fn, cache = self._site("get", name)
        try:
            return function("ppy_getattr")(ctx, act, fn, o, name, cache)
        finally:
            self._leave()

    def put(self, o: Any, name: str, value: Any) -> None:
        ctx, act, fn, cache = self._site("put", name)
        try:
            assert function("ppy_setattr")(ctx, act, fn, o, name, value, cache) == 0
        finally:
            self._leave()

    def call(self, o: Any, name: str, *args: Any) -> Any:
        ctx, act, fn, cache = self._site("call", name)
        out = (ctypes.c_void_p * 1)()
        try:
            unbound = function("ppy_load_method")(ctx, act, fn, o, name, cache, ctypes.addressof(out))
        finally:
            self._leave()
        method = ctypes.cast(out, ctypes.POINTER(ctypes.py_object))[0]
        ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(out[0]))
        return method(o, *args) if unbound else method(*args)


class Changes:
    """What happens to the classes and objects of one case; every step is looked at through the same operations."""

    def __init__(self, ops: Interpreter) -> None:
        self.ops = ops
        self.seen: list[Any] = []

    def look(self, *objects: Any) -> None:
        for _ in range(3):
            for o in objects:
                for name in ("x", "y", "kind", "method"):
                    self._see(self.ops.get, o, name)
                self._see(self.ops.call, o, "method", 7)

    def store(self, *objects: Any) -> None:
        for turn in range(3):
            for o in objects:
                for name in ("x", "y", "z"):
                    self._see(self.ops.put, o, name, turn)
                self.seen.append(list(vars(o)) if hasattr(o, "__dict__") else None)

    def _see(self, call: Callable[..., Any], *args: Any) -> None:
        kind, *rest = outcome(call, *args)
        value = rest[0]
        if not isinstance(value, (int, str, tuple, list, complex, types.NoneType)):  # another object in each run
            owner = type(getattr(value, "__self__", None)).__name__
            rest = [getattr(value, "__qualname__", ""), owner]
        self.seen.append((kind.__name__, rest))


def make(**more: Any) -> Any:
    class P:
        kind = "class"

        def __init__(self, x: Any = 1) -> None:
            self.x = x
            self.y = [x]

        def method(self, *args: Any) -> Any:
            return ("method", args)

    for name, value in more.items():
        setattr(P, name, value)
    return P


def plain(c: Changes) -> None:
    cls = make()
    a, b = cls(1), cls(2)
    c.look(a, b)
    c.store(a, b)
    c.look(a, b)


def class_changes(c: Changes) -> None:
    cls = make()
    a = cls(1)
    c.look(a)
    cls.kind = "later"
    cls.method = lambda self, *args: ("other", args)
    c.look(a)
    del cls.kind
    c.look(a)
    cls.x = property(lambda self: "property")
    c.look(a)
    c.store(a)
    del cls.x
    c.look(a)
    cls.__getattr__ = lambda self, name: ("hook", name)
    c.look(a)
    cls.__getattribute__ = lambda self, name: ("all", name)
    c.look(a)
    del cls.__getattribute__, cls.__getattr__
    c.look(a)
    c.store(a)
    cls.__setattr__ = lambda self, name, value: None
    c.store(a)


def hidden(c: Changes) -> None:
    cls = make()
    a, b = cls(1), cls(2)
    c.look(a, b)
    b.kind = "own"
    b.method = lambda *args: ("own", args)
    c.look(a, b)
    c.look(b, a)
    del b.kind, b.method
    c.look(a, b)
    vars(a)["kind"] = "through the dict"
    c.look(a, b)
    vars(a)["".join(["met", "hod"])] = len
    c.look(a)


def dicts(c: Changes) -> None:
    cls = make()
    a, b = cls(1), cls(2)
    c.look(a, b)
    vars(a)
    c.look(a, b)
    a.__dict__ = {"y": 5, "x": 6}
    c.look(a, b)
    c.store(a, b)
    a.__dict__[3] = 4
    c.look(a, b)
    c.store(a)
    a.__dict__ = {}
    c.look(a, b)
    del b.x
    c.look(b)
    c.store(b)
    b.__dict__.clear()
    c.look(b)
    for number in range(40):
        setattr(b, f"attribute{number}", number)
    c.look(b)
    c.store(b)
    c.look(b)


def orders(c: Changes) -> None:
    cls = make()
    objects = [cls.__new__(cls) for _ in range(4)]
    for o in objects:
        c.store(o)
    objects[0].y = objects[1].x = 2
    del objects[2].x
    c.look(*objects)
    c.store(*objects)
    c.look(*objects)


def classes_assigned(c: Changes) -> None:
    first, second = make(), make(kind="second", x=9)
    a, b = first(1), first(2)
    c.look(a, b)
    a.__class__ = second
    c.look(a, b)
    c.store(a, b)
    del a.x
    c.look(a)
    base, other = make(), make(z=1, kind="other")
    derived = type("Derived", (base,), {})
    o = derived(3)
    c.look(o)
    derived.__bases__ = (other,)
    c.look(o, a)
    other.kind = "changed in a base"
    c.look(o, b)


class Slots:
    __slots__ = ("x", "y")

    def __init__(self) -> None:
        self.x = 1

    def method(self, *args: Any) -> Any:
        return args


def slots(c: Changes) -> None:
    class Foreign:
        x = Slots.__dict__["x"]

    a, b, derived = Slots(), Slots(), type("Derived", (Slots,), {"kind": 3})()
    c.look(a, b, derived)
    c.store(a, derived, b)
    del a.x
    c.look(a, b)
    c.look(Foreign())
    c.store(Foreign())


def descriptors(c: Changes) -> None:
    class Later:
        pass

    cls = make(kind=Later(), y=Later())
    a = cls(1)
    c.look(a)
    Later.__get__ = lambda self, o, owner: "now a descriptor"  # type: ignore[attr-defined]
    c.look(a)
    Later.__set__ = lambda self, o, value: None  # type: ignore[attr-defined]
    c.look(a)
    c.store(a)
    lazy = functools.cached_property(lambda o: 8)
    other = make(kind=staticmethod(len), x=classmethod(lambda owner: owner.__name__), y=lazy)
    other.method = classmethod(lambda owner, *args: (owner.__name__, args))
    c.look(other)
    o = other.__new__(other)
    c.look(o)
    c.store(o)


def classes(c: Changes) -> None:
    class Meta(type):
        pass

    cls: Any = types.new_class("C", (make(),), {"metaclass": Meta})
    c.look(cls)
    c.look(cls, int, make())
    cls.kind = 4
    c.look(cls)
    c.store(cls)
    c.look(cls)
    Meta.kind = property(lambda self: "meta")  # type: ignore[attr-defined]
    Meta.method = lambda *args: "meta"  # type: ignore[attr-defined]
    c.look(cls)
    Meta.__getattribute__ = lambda self, name: "all"  # type: ignore[method-assign]
    c.look(cls)


def modules(c: Changes) -> None:
    class Derived(types.ModuleType):
        kind = property(lambda self: "derived")

    a, b = types.ModuleType("a"), types.ModuleType("b")
    a.x, a.kind, b.y = 1, 2, 3  # type: ignore[attr-defined]
    c.look(a, b)
    c.store(a, b)
    a.method = len  # type: ignore[attr-defined]
    del a.x
    c.look(a, b)
    a.__getattr__ = lambda name: ("module", name)  # type: ignore[method-assign]
    c.look(a)
    a.__class__ = Derived
    c.look(a)


def built_in(c: Changes) -> None:
    def f() -> None:
        pass

    error, several = ValueError(1), [1j, [], "text", 5, f, type("L", (list,), {"kind": 1})(), type("T", (tuple,), {})()]
    for o in several:
        c.look(o)
        for _ in range(3):
            for name in ("real", "append", "upper", "__class__", "__name__", "__doc__"):
                c._see(c.ops.get, o, name)
    c.store(error, f, several[-1], several[-2])
    c.look(error, f, several[-1], several[-2])


CASES = [plain, class_changes, hidden, dicts, orders, classes_assigned, slots, descriptors, classes, modules, built_in]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_cache_is_never_seen(record: int, case: Callable[[Changes], None], eager: bool) -> None:
    expected, got = Changes(Interpreter()), Changes(Cached(record, eager))
    case(expected)
    case(got)
    assert got.seen == expected.seen


def test_hits_leave_no_reference(record: int) -> None:
    ops, cls, value = Cached(record), make(), object()
    a = cls(value)
    before = sys.getrefcount(value), sys.getrefcount(cls.method), sys.getrefcount(a)
    for _ in range(50):
        ops.get(a, "x")
        ops.get(a, "method")
        ops.call(a, "method", 1)
        ops.put(a, "x", value)
    assert (sys.getrefcount(value), sys.getrefcount(cls.method), sys.getrefcount(a)) == before
