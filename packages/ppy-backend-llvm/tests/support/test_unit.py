"""Loading units and what their module-level names mean, whoever changes them."""

from __future__ import annotations

import ctypes
import gc
import sys
import types
from typing import Any

import pytest
from native_library import function, libraries
from sample import CELLS, Sample

COUNTER, MISSING, LEN = CELLS.index("counter"), CELLS.index("missing"), CELLS.index("len")


@pytest.fixture
def sample() -> Sample:
    return Sample()


def load(sample: Sample, cell: int) -> Any:
    return function("ppy_global_load")(sample.unit, cell)


def test_the_check_accepts_this_interpreter() -> None:
    assert function("ppy_support_check")() == 0
    assert function("ppy_support_abi")() == 1


def test_native_code_sees_every_way_of_rebinding_a_global(sample: Sample) -> None:
    assert sample.bump() == 1
    sample.dict["counter"] = 10
    assert sample.bump() == 11
    exec("counter = 20", sample.dict)
    assert sample.bump() == 21
    sample.dict.update(counter=30)
    assert sample.bump() == 31
    sample.dict |= {"counter": 40}
    assert sample.bump() == 41
    sample.dict["".join(["count", "er"])] = 50
    assert sample.bump() == 51
    exec("del counter", sample.dict)
    with pytest.raises(NameError, match="name 'counter' is not defined") as caught:
        sample.bump()
    assert caught.value.name == "counter"
    sample.dict.setdefault("counter", 60)
    assert sample.bump() == 61
    assert sample.dict.pop("counter") == 61
    with pytest.raises(NameError):
        sample.bump()
    sample.dict["counter"] = 70
    function_globals = dict(sample.dict)
    sample.bump()
    sample.dict.clear()
    with pytest.raises(NameError):
        load(sample, COUNTER)
    sample.dict.update(function_globals)
    assert load(sample, COUNTER) == 70


def test_a_rebound_function_is_seen_by_direct_calls(sample: Sample) -> None:
    with pytest.raises(ZeroDivisionError):
        sample.outer(0)
    assert sample.outer(2) == 0.5
    sample.dict["fail"] = lambda x: "replaced"
    assert sample.outer(0) == "replaced"
    del sample.dict["fail"]
    with pytest.raises(NameError, match="'fail'"):
        sample.outer(0)


def test_builtins_shadowed_and_changed(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    assert load(sample, LEN) is len
    sample.dict["len"] = max
    assert load(sample, LEN) is max
    del sample.dict["len"]
    assert load(sample, LEN) is len
    monkeypatch.setattr(builtins, "len", min)
    assert load(sample, LEN) is min
    monkeypatch.undo()
    assert load(sample, LEN) is len
    with pytest.raises(NameError):
        load(sample, MISSING)
    monkeypatch.setattr(builtins, "missing", 5, raising=False)
    assert load(sample, MISSING) == 5
    monkeypatch.undo()
    with pytest.raises(NameError):
        load(sample, MISSING)


def test_storing_and_deleting(sample: Sample) -> None:
    for value in (1, "x", None, [1]):
        assert function("ppy_global_store")(sample.unit, MISSING, value) == 0
        assert sample.dict["missing"] is value
        assert load(sample, MISSING) is value
    assert function("ppy_global_del")(sample.unit, MISSING) == 0
    assert "missing" not in sample.dict
    with pytest.raises(NameError, match="name 'missing' is not defined"):
        function("ppy_global_del")(sample.unit, MISSING)


def test_a_finalizer_that_changes_the_same_name(sample: Sample) -> None:
    class Meddler:
        def __del__(self) -> None:
            sample.dict["counter"] = "from the finalizer"

    sample.dict["counter"] = Meddler()
    function("ppy_global_store")(sample.unit, COUNTER, 5)
    assert sample.dict["counter"] == "from the finalizer"
    assert load(sample, COUNTER) == "from the finalizer"
    sample.dict["counter"] = Meddler()
    function("ppy_global_del")(sample.unit, COUNTER)
    assert load(sample, COUNTER) == "from the finalizer"


def test_values_are_not_kept_alive(sample: Sample) -> None:
    value = [object()]
    references = sys.getrefcount(value)
    for _ in range(100):
        function("ppy_global_store")(sample.unit, COUNTER, value)
        load(sample, COUNTER)
    sample.dict["counter"] = None
    assert sys.getrefcount(value) == references
    assert load(sample, COUNTER) is None


def test_peeking_knows_only_what_still_holds(sample: Sample) -> None:
    peek = function("ppy_global_peek")
    load(sample, LEN)
    assert peek(sample.unit, LEN) == id(len)
    sample.dict["other"] = 1
    assert peek(sample.unit, LEN) in (None, id(len))
    sample.dict["len"] = max
    assert peek(sample.unit, LEN) is None


def test_a_second_dict_is_refused_and_the_same_one_runs_again(sample: Sample) -> None:
    other: dict[str, Any] = {"__name__": "other"}
    assert sample.execute(other) is NotImplemented
    assert other == {"__name__": "other"}
    old = sample.add
    assert sample.execute(sample.dict) is None
    assert sample.add is not old
    assert sample.add(1) == old(1) == 11


@pytest.mark.parametrize("fault", ["abi", "python", "marshalled", "codes", "dict"])
def test_a_unit_that_cannot_run_is_refused_whole(fault: str) -> None:
    fresh = Sample(run=False)
    fields = (ctypes.c_uint32 * 2).from_address(fresh.unit)
    if fault == "abi":
        fields[0] += 1
    elif fault == "python":
        fields[1] -= 1
    elif fault == "marshalled":
        ctypes.c_int64.from_address(fresh.unit + 16).value = 7
    elif fault == "codes":
        fresh.code = compile("def f(): pass", "other.py", "exec")
    target: Any = fresh.dict if fault != "dict" else types.MappingProxyType({})
    before = dict(fresh.dict)
    assert fresh.execute(target) is NotImplemented
    assert fresh.dict == before
    if fault == "codes":
        good = Sample(run=False)
        fresh.code = good.code
        assert fresh.execute(fresh.dict) is None
        assert fresh.add(1) == 11


def test_names_and_constants_are_interned(sample: Sample) -> None:
    for name in ("counter", "missing"):
        function("ppy_global_store")(sample.unit, CELLS.index(name), 1)
        key = next(key for key in sample.dict if key == name)
        assert key is sys.intern(name)


def test_a_dropped_module_dict_does_no_harm() -> None:
    fresh = Sample()
    look = fresh.look
    del fresh
    gc.collect()
    assert look(lambda: 3) == [3]


def test_names_in_mappings(sample: Sample) -> None:
    class Scope(dict[str, Any]):
        def __missing__(self, key: str) -> Any:
            if key == "virtual":
                return "made up"
            raise KeyError(key)

    name = function("ppy_load_name")
    assert name(sample.unit, Scope(), "virtual") == "made up"
    assert name(sample.unit, {"counter": 5}, "counter") == 5
    assert name(sample.unit, {}, "counter") == 0
    assert name(sample.unit, {}, "len") is len
    with pytest.raises(NameError, match="name 'nothing' is not defined"):
        name(sample.unit, {}, "nothing")
    cell = types.CellType(4)
    deref = function("ppy_load_class_deref")
    assert deref({"n": 3}, cell, "n") == 3
    assert deref({}, cell, "n") == 4
    with pytest.raises(NameError, match="cannot access free variable 'n'"):
        deref({}, types.CellType(), "n")


def test_class_statement_helpers(sample: Sample) -> None:
    import builtins

    assert function("ppy_load_build_class")(sample.unit) is builtins.__build_class__
    scope: dict[str, Any] = {}
    function("ppy_setup_annotations")(scope)
    annotations = scope["__annotations__"]
    function("ppy_setup_annotations")(scope)
    assert scope == {"__annotations__": {}}
    assert scope["__annotations__"] is annotations


def test_subinterpreters_are_refused() -> None:
    cold, _ = libraries()
    path = cold._name
    script = f"import ctypes; answer = ctypes.PyDLL({path!r}).ppy_support_check(); assert answer == 4, answer"
    if sys.version_info >= (3, 13):
        import _interpreters as interpreters

        made = interpreters.create("legacy")
        assert interpreters.run_string(made, script) is None
    else:
        import _xxsubinterpreters as interpreters

        made = interpreters.create(isolated=False)
        interpreters.run_string(made, script)
    interpreters.destroy(made)
    assert function("ppy_support_check")() == 0
