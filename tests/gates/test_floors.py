"""The contracts of import-linter name every package there is: a new one cannot slip past them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import workspace

ROOT = Path(__file__).resolve().parents[2]
LINTER: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
SHARED = {"abi", "manifest"}  # what compiler and runtime have in common


def contract(words: str) -> dict[str, Any]:
    contracts: list[dict[str, Any]] = LINTER["contracts"]
    (found,) = (contract for contract in contracts if words in contract["name"])
    return found


def parts(package: str) -> set[str]:
    """The modules and packages directly inside a package."""
    folder = ROOT / package
    found = {path.parent.name for path in folder.glob("*/__init__.py")} | {path.stem for path in folder.glob("*.py")}
    return {name for name in found if not name.startswith("__")}


def test_every_floor_has_its_place() -> None:
    layers = contract("The floors")["layers"]
    floors = {name.strip(" ()") for layer in layers for name in layer.split("|")}
    assert parts("packages/ppy-core/src/ppy_compiler") <= floors


def test_the_compiler_may_import_nothing_new_of_the_runtime() -> None:
    forbidden = {name.removeprefix("ppy_runtime.") for name in contract("shares `abi`")["forbidden_modules"]}
    assert parts("packages/ppy-runtime/src/ppy_runtime") == forbidden | SHARED


def test_a_backend_reaches_no_floor_above_backends() -> None:
    layers: list[str] = contract("The floors")["layers"]
    above = {
        f"ppy_compiler.{name.strip(' ()')}"
        for layer in layers[: layers.index("(plugins) | (backends)")]
        for name in layer.split("|")
    }
    commands = {"ppy_compiler.cli", "ppy_compiler.integrations"}  # nobody can import these: they are the top floor
    assert above - commands <= set(contract("A backend")["forbidden_modules"])


def test_every_distribution_is_looked_at() -> None:
    sources = [ROOT / folder / "src" for folder in workspace.distributions()]
    found = {path.parent.relative_to(src).as_posix() for src in sources for path in src.glob("**/py.typed")}
    assert found == {root.replace(".", "/") for root in LINTER["root_packages"]}
