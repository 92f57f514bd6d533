"""`import ppy` as a whole: its names, what it imports, what it costs in modules."""

from __future__ import annotations

import subprocess
import sys

import ppy
import pytest


def test_every_name_resolves_and_is_listed() -> None:
    assert len(set(ppy.__all__)) == len(ppy.__all__)
    for name in ppy.__all__:
        assert getattr(ppy, name) is not None
    assert set(dir(ppy)) == set(ppy.__all__)
    namespace: dict[str, object] = {}
    exec("from ppy import *", namespace)
    assert set(ppy.__all__) <= set(namespace)


@pytest.mark.parametrize("name", ["nothing", "jax", "simd", "Vec", "scan", "_directives_"])
def test_what_is_not_built_yet_does_not_exist(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'ppy' has no attribute '{name}'"):
        getattr(ppy, name)


def modules_after(statement: str) -> set[str]:
    before = f"import sys; sys.path[:] = {sys.path!r}; import os; before = set(sys.modules)"
    code = f"{before}; {statement}; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return set(eval(done.stdout))


def test_importing_ppy_imports_next_to_nothing() -> None:
    loaded = modules_after("import ppy") - {"__future__"}
    assert loaded == {"ppy", "ppy_runtime", "ppy_runtime.launch", "ppy_runtime.launch.finder"}


def test_directives_need_no_typing() -> None:
    loaded = modules_after("import ppy; ppy.pure(ppy.native(require=True)(lambda: 0)); ppy.assume[int](3)")
    assert not {"typing", "dataclasses", "inspect", "json"} & loaded


def test_the_hook_is_installed_once() -> None:
    from ppy_runtime.launch.finder import Finder

    ppy.install()
    assert sys.meta_path.count(Finder) == 1
