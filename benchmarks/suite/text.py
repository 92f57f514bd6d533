"""Numbers as a reader wants them: on the terminal and in the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FACTOR = {"ms": 1e3, "ns": 1e9, "s": 1.0}


def amount(seconds: float, unit: str) -> str:
    value = seconds * FACTOR[unit]
    if unit == "ms" and value >= 10_000:
        return f"{value / 1000:.1f} s"
    return f"{value:.3g} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def measured(bar: dict[str, Any], unit: str) -> str:
    value = bar["measured"]
    if value is None:
        return "not measured"
    return amount(value, unit) if bar["difference"] or not bar["theirs"] else f"{value:.2f} ×"


def verdict(bar: dict[str, Any]) -> str:
    return {True: "met", False: "**missed**", None: "not measured"}[bar["met"]]


def row_lines(row: dict[str, Any]) -> Iterator[str]:
    """One row for the terminal."""
    cells = [f"{name} {amount(median, row['unit'])}" for name, median in row["medians"].items()]
    yield f"{row['name']}: " + "; ".join(cells)
    for bar in row["bars"]:
        yield f"    {bar['text']}: {measured(bar, row['unit'])}, {verdict(bar).strip('*')}"
    for name, note in row["notes"].items():
        yield f"    {name}: {note}"
