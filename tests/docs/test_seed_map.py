"""docs/seed-map.md tells the truth: what it says is kept exists, and nothing planned is a placeholder."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "seed-map.md"
STATES = ("kept", "replaced", "later")


def rows() -> list[tuple[str, list[str], str, str]]:
    """(seed name, names here, state, explanation) of every row of every table."""
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[2] not in ("state", "---"):
            found.append((cells[0], re.findall(r"`([\w.:]+)`", cells[1]), cells[2], cells[3]))
    return found


def resolve(name: str) -> object:
    module, _, attribute = name.partition(":")
    value: object = importlib.import_module(module)
    for part in filter(None, attribute.split(".")):
        value = getattr(value, part)
    return value


def test_the_page_is_read() -> None:
    assert len(rows()) > 60
    assert {state for _, _, state, _ in rows()} == set(STATES)


@pytest.mark.parametrize(("seed", "names"), [(seed, names) for seed, names, state, _ in rows() if state != "later"])
def test_what_is_kept_exists(seed: str, names: list[str]) -> None:
    for name in names:
        resolve(name)


def test_everything_kept_has_a_place() -> None:
    assert [seed for seed, names, state, _ in rows() if state == "kept" and not names] == []


def test_everything_replaced_or_later_says_why_or_when() -> None:
    assert [seed for seed, _, state, why in rows() if state in ("replaced", "later") and not why] == []


@pytest.mark.parametrize(
    "name", [name for _, names, state, _ in rows() if state == "later" for name in names if name.startswith("ppy")]
)
def test_what_comes_later_does_not_exist_yet(name: str) -> None:
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        resolve(name)


def test_names_mentioned_in_explanations_exist() -> None:
    for _, _, state, why in rows():
        if state != "later":
            for name in re.findall(r"`(ppy\w*[\w.]*:[\w.]+)`", why):
                resolve(name)
