"""A third party's plugin, discovered and used exactly as ours will be."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ppy_compiler import dialects
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.driver.extensions import add_dialects

THIRD_PARTY = Path(__file__).parents[1] / "third_party"

ENABLED = "[tool.ppy.plugins.tiny]\nenabled = true\n"


@pytest.fixture
def plugged(with_extension: Callable[[str], Any]) -> Any:
    """The command with the tiny plugin enabled."""
    commands = with_extension("tiny-plugin")
    commands.write("pyproject.toml", ENABLED)
    return commands


def test_doctor(plugged: Any) -> None:
    plugins = {found["name"]: found["text"] for found in json.loads(plugged("doctor", "--json").out)["plugins"]}
    assert plugins["tiny"] == "in use (tiny-plugin 1.0)"
    plugged.write("pyproject.toml", "")
    plugins = {found["name"]: found["text"] for found in json.loads(plugged("doctor", "--json").out)["plugins"]}
    assert plugins["tiny"].startswith("ready; `[tool.ppy.plugins.tiny] enabled = true` uses it")


def test_its_pass(plugged: Any) -> None:
    plugged.write("main.py", "x = 1\n")
    assert "seen_by_tiny" not in plugged("emit", "main.py").out  # it is no part of the keys of such a module
    plugged.write("main.py", "x = 1\nimport tinylib\n")
    assert "%seen_by_tiny = py.const" in plugged("emit", "main.py").out
    plugged.write("pyproject.toml", "[tool.ppy.plugins.tiny]\nenabled = false\n")
    assert "seen_by_tiny" not in plugged("emit", "main.py").out


def test_its_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(THIRD_PARTY / "tiny-plugin" / "src"))
    monkeypatch.setattr(dialects, "DIALECTS", dict(dialects.DIALECTS))
    (plugin,) = [importlib.import_module("tiny_plugin.plugin").create_plugin()]
    add_dialects([plugin])
    operation = dialects.op_class("tiny.seen")(by="tiny")
    assert str(operation) == "tiny.seen {by='tiny'}"
    dialects.DIALECTS["tiny"] = "somebody.else"
    with pytest.raises(DiagnosticError) as error:
        add_dialects([plugin])
    assert "the dialect 'tiny' is somebody.else's already" in error.value.diagnostic.message


def test_its_broken_pass_is_named(plugged: Any) -> None:
    plugged.write("main.py", "import tinylib.sub\n")
    done = plugged("emit", "main.py", TINY_PASS="broken")
    assert (done.status, done.out) == (2, "")
    assert "E1902" in done.err
    assert "the pass `break` of `tiny` left invalid IR" in done.err


def test_types_of_calls_and_attributes(plugged: Any) -> None:
    plugged.write("main.py", "import tinylib\n\n\ndef f(x: float):\n    return tinylib.root(x) + tinylib.LIMIT\n")
    typed = plugged("emit", "--stage", "typed", "main.py").out
    (call,) = (line for line in typed.splitlines() if "py.call" in line)
    (attribute,) = (line for line in typed.splitlines() if "attribute='LIMIT'" in line)
    assert call.endswith("; float")
    assert attribute.endswith("; float guarded")


def test_a_rejected_call(plugged: Any) -> None:
    plugged.write("main.py", "import tinylib\n\ntinylib.never()\n")
    done = plugged("check", "--output-format", "concise", "main.py")
    assert done.status == 1
    assert done.out == "main.py:3:1: E1113 `tinylib.never` always raises RuntimeError\n"


def test_the_reason_of_a_fallback(plugged: Any) -> None:
    plugged.write("main.py", "import tinylib\n\n\ndef f() -> None:\n    tinylib.shout('a')\n")
    done = plugged("check", "--remarks", "all", "--output-format", "concise", "main.py")
    assert "it writes to standard output" in done.out


def test_the_reasons_of_operations(plugged: Any) -> None:
    plugged.write(
        "main.py",
        "import tinylib\n\n\ndef f(v: tinylib.Vector, n: int):\n"
        "    w = v + v\n    return w[n] + v.x + tinylib.quotient(n)\n",
    )
    done = plugged("check", "--remarks", "all", "--output-format", "concise", "main.py")
    left = "on `tinylib.Vector` goes through CPython: its plugin knows what it gives, but no native form"
    found = [line.split(": ", 1)[1] for line in done.out.splitlines()]
    assert f"R4107 `+` {left}" in found
    assert f"R4107 the subscript {left}" in found
    assert f"R4107 `.x` {left}" in found
    assert "R4102 the call of `quotient` goes through CPython: PPY has no model of it" in found


def test_effects(plugged: Any) -> None:
    plugged.write(
        "main.py",
        "import ppy\nimport tinylib\n\n\n@ppy.pure\ndef good(x: float) -> float:\n    return tinylib.root(x)\n\n\n"
        "@ppy.pure\ndef bad(x: str) -> str:\n    return tinylib.shout(x)\n",
    )
    done = plugged("check", "--output-format", "concise", "main.py")
    assert done.out == "main.py:12:12: E1201 `bad()` is declared pure, but it calls `shout()`, which has effects\n"
