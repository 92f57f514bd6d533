"""Bound function objects are the functions Python knows: identity, calls, introspection, and giving back."""

from __future__ import annotations

import copy
import dis
import functools
import gc
import inspect
import pickle
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from native_library import function
from sample import Sample, plain

CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 2), {}),
    ((1,), {"b": 2, "c": 3}),
    ((), {"a": 1, "b": 2}),
    ((), {"c": 1, "b": 2, "a": 3}),
    ((2**70,), {}),
    ((2**63 - 1, 1), {}),
    ((1.5,), {"c": 2}),
    (("a", "b"), {"c": "c"}),
    ((), {}),
    ((1, 2, 3), {}),
    ((1,), {"a": 2}),
    ((1,), {"d": 2}),
    ((), {"b": 1}),
    ((1, 2), {"b": 1}),
    (([],), {}),
]


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


def outcome(call: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    try:
        return "value", call(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_arguments_bind_as_python_binds_them(sample: Sample, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert outcome(sample.add, *args, **kwargs) == outcome(plain()["add"], *args, **kwargs)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((1,), {}),
        ((1, 2, 3), {}),
        ((1,), {"x": 2, "a": 3}),
        ((), {"a": 1}),
        ((), {}),
        ((1, 2), {"args": 3, "kwargs": 4}),
    ],
)
def test_starred_parameters(sample: Sample, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert outcome(sample.rest, *args, **kwargs) == outcome(plain()["rest"], *args, **kwargs)
    assert outcome(functools.partial(sample.rest, *args), **kwargs) == outcome(plain()["rest"], *args, **kwargs)


def test_keywords_that_are_not_interned(sample: Sample) -> None:
    name = "".join(["", "b"])
    assert sample.add(1, **{name + "": 5, "".join(["c"]): 2}) == 8


def test_a_bound_function_looks_like_a_function(sample: Sample) -> None:
    add = sample.add
    assert inspect.isfunction(add)
    assert isinstance(add, types.FunctionType)
    assert add.__class__ is types.FunctionType
    assert type(add).__name__ == "function"
    assert type(add).__qualname__ == "function"
    assert type(add).__module__ == "builtins"
    assert repr(type(add)) == "<class 'function'>"
    assert repr(add).startswith("<function add at 0x")
    assert str(inspect.signature(add)) == "(a, b=10, *, c=0)"
    assert (add.__name__, add.__qualname__, add.__module__) == ("add", "add", "sample")
    assert add.__defaults__ == (10,)
    assert add.__kwdefaults__ == {"c": 0}
    assert add.__globals__ is sample.dict
    assert inspect.getsource(sample.look).startswith("def look")
    assert sys.version_info < (3, 12) or type(add) is types.FunctionType


def test_copies_pickles_and_references(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("sample")
    module.__dict__.update(sample.dict)
    monkeypatch.setitem(sys.modules, "sample", module)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(sample.add, protocol)) is sample.add
        assert pickle.loads(pickle._dumps(sample.add, protocol)) is sample.add  # type: ignore[attr-defined]
    with pytest.raises((pickle.PicklingError, AttributeError), match=r"local object|Can't get local"):
        pickle.dumps(sample.make(1))
    assert copy.copy(sample.add) is sample.add
    assert copy.deepcopy([sample.add])[0] is sample.add
    assert weakref.ref(sample.add)() is sample.add
    setattr(sample.add, "mark", 3)  # noqa: B010  (a type checker knows functions to have no such attribute)
    assert sample.add.__dict__ == {"mark": 3}
    assert hash(sample.add) == object.__hash__(sample.add)


def test_methods_bind(sample: Sample) -> None:
    class Holder:
        method = sample.add
        static = staticmethod(sample.add)
        made: Any = classmethod(sample.rest)
        value = property(sample.rest)

    holder = Holder()
    assert type(holder.method) is types.MethodType
    assert holder.method.__func__ is sample.add
    assert holder.static(1, 2) == 3
    assert holder.made(1) == (Holder, (1,), {})
    assert holder.value == (holder, (), {})
    assert Holder.method is sample.add

    def many() -> list[Any]:
        return [holder.made(i) for i in range(200)]

    assert many()[199] == (Holder, (199,), {})


def test_special_methods_are_called_natively_and_still_specialise(sample: Sample) -> None:
    class Holder:
        __getitem__ = sample.rest
        __call__ = sample.rest
        __getattr__ = sample.rest

    def run(holder: Any) -> list[Any]:
        return [(holder[i], holder(i), holder.nothing)[0] for i in range(500)]

    holder = Holder()
    assert run(holder)[499] == (holder, (499,), {})


def test_wrappers_see_the_function(sample: Sample) -> None:
    @functools.wraps(sample.add)
    def wrapper(*args: Any) -> Any:
        return sample.add(*args)

    assert wrapper.__wrapped__ is sample.add
    assert str(inspect.signature(wrapper)) == "(a, b=10, *, c=0)"
    assert functools.cache(sample.add)(1, 2) == 3
    dispatch = functools.singledispatch(sample.add)
    assert dispatch(1) == 11


def test_closures_are_bound_and_see_their_cell(sample: Sample) -> None:
    inner = sample.make(5)
    assert inner(3) == 8
    with pytest.raises(TypeError, match="unsupported operand"):
        inner(None)
    inner.__closure__[0].cell_contents = 100
    assert inner(3) == 103
    del inner.__closure__[0].cell_contents
    with pytest.raises(NameError, match="cannot access free variable 'n' where it is not associated") as native:
        inner(3)
    assert native.value.name == "n"


def test_assigning_code_gives_the_function_back(sample: Sample) -> None:
    fresh = Sample()
    other = plain()
    fresh.add.__code__ = other["make"].__code__.replace(co_consts=other["make"].__code__.co_consts)
    assert callable(fresh.add(3))
    fresh.add.__code__ = other["add"].__code__
    assert fresh.add(1, 2) == 3
    assert sample.add(1, 2) == 3


def test_defaults_are_read_when_called(sample: Sample) -> None:
    fresh = Sample()
    fresh.add.__defaults__ = (1, 20)
    assert fresh.add() == 21
    fresh.add.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'"):
        fresh.add(1)
    fresh.add.__kwdefaults__["c"] = 7
    assert fresh.add(1, 1) == 9
    fresh.add.__kwdefaults__ = None
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'c'"):
        fresh.add(1, 1)


def test_unbinding_and_binding_again() -> None:
    fresh = Sample()
    add = fresh.add
    function("ppy_unbind")(add)
    assert type(add) is types.FunctionType
    assert add(1, 2) == 3
    assert function("ppy_rebind")(add) == 1
    assert add(1, c=5) == 16
    assert function("ppy_rebind")(plain()["add"]) == 0


def test_functions_made_by_python_code_are_bound_when_created() -> None:
    """3.11 has no hook for it: such functions run as Python there until their namespace is bound."""
    fresh = Sample()
    made = types.FunctionType(fresh.make.__code__, fresh.dict)
    inner = made(4)
    assert inner(1) == 5
    import ctypes

    vectorcall = ctypes.pythonapi.PyVectorcall_Function
    vectorcall.restype = ctypes.c_void_p
    vectorcall.argtypes = (ctypes.py_object,)
    assert (vectorcall(made) == vectorcall(fresh.make)) == (sys.version_info >= (3, 12))


def test_call_sites_do_not_bypass_functions_made_by_python_code() -> None:
    """MAKE_FUNCTION must not leave a version by which a specialised call would go past the entry."""
    fresh = Sample()
    function("ppy_unbind")(fresh.make)
    inner = fresh.make(4)
    if sys.version_info < (3, 12):
        assert function("ppy_rebind")(inner) == 1

    def calls(callee: Any) -> int:
        total = 0
        for i in range(2000):
            total += callee(i)
        return total

    assert calls(inner) == sum(range(4, 2004))
    names = {instruction.opname for instruction in dis.get_instructions(calls, adaptive=True)}
    assert not any("PY_EXACT_ARGS" in name or "PYFUNC" in name for name in names)
    assert calls(plain()["make"](4)) == sum(range(4, 2004))


def test_classes_made_by_python_code() -> None:
    fresh = Sample()
    namespace = dict(fresh.dict)

    class Outer:
        made = types.FunctionType(fresh.add.__code__, namespace, "made", (10,))
        static = staticmethod(types.FunctionType(fresh.add.__code__, namespace, "static", (10,)))
        value = property(types.FunctionType(fresh.look.__code__, namespace))

        class Inner:
            deep = types.FunctionType(fresh.add.__code__, namespace, "deep", (10,))

    import ctypes

    bind = function("ppy_bind_namespace")
    bind(fresh.unit, Outer)
    Outer.made.__kwdefaults__ = {"c": 0}
    Outer.Inner.deep.__kwdefaults__ = {"c": 1}
    assert Outer.made(1) == 11
    assert Outer.Inner.deep(1) == 12
    assert Outer.__dict__["value"].fget(lambda: 4) == [4]
    vectorcall = ctypes.pythonapi.PyVectorcall_Function
    vectorcall.restype = ctypes.c_void_p
    vectorcall.argtypes = (ctypes.py_object,)
    native = vectorcall(fresh.add)
    assert [vectorcall(f) == native for f in (Outer.made, Outer.static, Outer.Inner.deep)] == [True] * 3


def test_many_functions_come_and_go(sample: Sample) -> None:
    gc.collect()
    before = len(gc.get_objects())
    for i in range(20000):
        assert sample.make(i)(1) == i + 1
    gc.collect()
    assert len(gc.get_objects()) < before + 100
    code = sample.make(1).__code__
    references = sys.getrefcount(code)
    for _ in range(100):
        sample.make(1)
    assert sys.getrefcount(code) == references


def test_bound_tests(sample: Sample) -> None:
    assert function("ppy_func_default")(sample.add, 0) is None
    assert function("ppy_func_default")(sample.add, 1) == id(10)
    assert function("ppy_func_kwdefault")(sample.add, "c") == id(0)
    assert function("ppy_func_kwdefault")(sample.add, "d") is None
