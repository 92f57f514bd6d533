"""What the compiler knows of `import ppy` is what the language package has: floors may not import it, so it is written
twice, and compared here."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import ppy
import pytest
from ppy_compiler.infer.checker.language import CONFLICTS, DIRECTIVES, LANGUAGE_NAMES, OF_CLASSES
from ppy_compiler.models import lookup

NAMES = [name for name, home in ppy._HOME.items() if home == "_directives"]


def test_all_names() -> None:
    assert set(ppy.__all__) == LANGUAGE_NAMES


def test_the_directives() -> None:
    assert set(NAMES) == DIRECTIVES.keys()
    assert {name for pair in CONFLICTS for name in pair} | OF_CLASSES <= DIRECTIVES.keys()


@pytest.mark.parametrize("name", NAMES)
def test_arguments_of_a_directive(name: str) -> None:
    directive: Callable[..., object] = getattr(ppy, name)
    parameters = inspect.signature(directive).parameters.values()
    assert {p.name for p in parameters if p.kind is not inspect.Parameter.POSITIONAL_ONLY} == DIRECTIVES[name]
    model = lookup(f"ppy.{name}")
    if model is None:
        assert name == "dynamic"  # nothing is assumed about it
        return
    known = model.signatures[0].parameters
    assert {p.name for p in known if p.kind in ("either", "keyword")} == DIRECTIVES[name]
