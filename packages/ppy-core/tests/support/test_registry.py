from __future__ import annotations

import pytest
from ppy_compiler.support.registry import DuplicateName, Registry, UnknownName
from ppy_compiler.support.suggest import closest, did_you_mean


def test_entries_load_once_and_only_when_asked_for() -> None:
    loads: list[str] = []

    def fold() -> object:
        loads.append("fold")
        return object()

    def cse() -> object:
        loads.append("cse")
        return object()

    registry: Registry[object] = Registry("pass")
    registry.register("fold", fold)
    registry.register("cse", cse)
    assert list(registry) == ["fold", "cse"]
    assert len(registry) == 2
    assert "cse" in registry
    assert not loads
    assert registry.get("fold") is registry.get("fold")
    assert loads == ["fold"]


def test_duplicates_name_both_places() -> None:
    registry: Registry[int] = Registry("dialect")
    registry.register("py", lambda: 1)
    with pytest.raises(DuplicateName, match=r"dialect 'py' is registered twice: by .*test_registry, line \d+ and by x"):
        registry.register("py", lambda: 2, owner="x 1.0")


def test_unknown_names_are_answered_with_the_nearest() -> None:
    registry: Registry[int] = Registry("command")
    registry.register("explain", lambda: 1)
    with pytest.raises(UnknownName, match="there is no command 'explian'; did you mean 'explain'"):
        registry.get("explian")


def test_suggestions_stay_quiet_when_nothing_is_near() -> None:
    assert closest("zzz", ["strict", "target"]) is None
    assert did_you_mean("zzz", ["strict"]) == ""
    assert did_you_mean("stritc", ["strict", "target"]) == "; did you mean 'strict'?"
