"""Directives are inert: the same object comes back, carrying what was said about it."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from typing import Any

import ppy
import pytest

PLAIN = ["pure", "specialize", "inline", "noinline", "fastmath", "reflective", "dynamic"]


def target(x: int) -> int:
    """A function that pickle finds by name."""
    return x


@pytest.fixture(autouse=True)
def clean() -> None:
    target.__dict__.pop("__ppy__", None)


@pytest.mark.parametrize("name", PLAIN)
def test_bare_and_called(name: str) -> None:
    directive: Callable[..., Any] = getattr(ppy, name)
    assert directive(target) is target
    assert target.__dict__["__ppy__"] == {name: {}}
    del target.__ppy__  # type: ignore[attr-defined]
    assert directive()(target) is target
    assert target.__dict__["__ppy__"] == {name: {}}
    assert target(3) == 3
    assert directive.__name__ == name
    assert directive.__doc__


@pytest.mark.parametrize("name", ["native", "parallel"])
def test_require(name: str) -> None:
    directive: Callable[..., Any] = getattr(ppy, name)
    for form, require in ((directive, False), (directive(), False), (directive(require=True), True)):
        assert form(target) is target
        assert target.__dict__["__ppy__"] == {name: {"require": require}}
    with pytest.raises(TypeError):
        directive(requires=True)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_opt(level: int) -> None:
    assert ppy.opt(level)(target) is target
    assert target.__dict__["__ppy__"] == {"opt": {"level": level}}


@pytest.mark.parametrize(("level", "error"), [(4, ValueError), (-1, ValueError), (True, TypeError), ("3", TypeError)])
def test_opt_takes_a_level(level: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="level from 0 to 3"):
        ppy.opt(level)
    with pytest.raises(TypeError):
        ppy.opt(target)  # type: ignore[arg-type]


def test_cpu_target() -> None:
    assert ppy.cpu.target("avx2", "fma")(target) is target
    assert target.__dict__["__ppy__"] == {"cpu.target": {"features": ("avx2", "fma")}}
    for wrong in ((), (target,), ("",)):
        with pytest.raises(TypeError, match=r"ppy\.cpu\.target"):
            ppy.cpu.target(*wrong)


def test_dynamic_block() -> None:
    with ppy.dynamic() as nothing:
        assert nothing is None
    with pytest.raises(ZeroDivisionError), ppy.dynamic():
        1 / 0  # noqa: B018


def test_several_directives_add_up_and_are_not_shared() -> None:
    def f() -> int:
        return 1

    ppy.pure(ppy.opt(2)(ppy.native(require=True)(f)))
    expected = {"native": {"require": True}, "opt": {"level": 2}, "pure": {}}
    assert f.__dict__["__ppy__"] == expected

    @ppy.inline
    @functools.wraps(f)
    def wrapper() -> int:
        return f()

    assert wrapper.__dict__["__ppy__"] == expected | {"inline": {}}
    assert f.__dict__["__ppy__"] == expected


def test_classes_do_not_inherit_what_was_said_of_a_base() -> None:
    @ppy.reflective
    class Base:
        pass

    @ppy.pure
    class Derived(Base):
        pass

    assert Base.__dict__["__ppy__"] == {"reflective": {}}
    assert Derived.__dict__["__ppy__"] == {"pure": {}}


@pytest.mark.parametrize("thing", [len, 3, "text", (), staticmethod(target), classmethod(target), property(target)])
def test_anything_can_be_decorated(thing: object) -> None:
    assert ppy.pure(thing) is thing
    assert ppy.native(require=True)(thing) is thing


def test_a_decorated_function_pickles_by_name() -> None:
    assert pickle.loads(pickle.dumps(ppy.pure(target))) is target
