"""What is measured: a row compares engines on one program, and each bar says how two of its medians must relate."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """`ours / theirs` at most `most` (or at least `least`); with `difference`, `ours - theirs` at most `most`."""

    text: str
    ours: str
    theirs: str = ""
    most: float | None = None
    least: float | None = None
    difference: bool = False


@dataclass(slots=True)
class Row:
    """One line of the page: seconds of every column, in the order of the rounds."""

    family: str
    name: str
    what: str
    unit: str
    seconds: dict[str, list[float]]
    notes: dict[str, str]
    bars: Sequence[Bar]

    def median(self, column: str) -> float:
        return statistics.median(self.seconds[column])

    def data(self) -> dict[str, object]:
        return {
            "family": self.family,
            "name": self.name,
            "what": self.what,
            "unit": self.unit,
            "medians": {name: self.median(name) for name, values in self.seconds.items() if values},
            "seconds": self.seconds,
            "notes": {name: note for name, note in self.notes.items() if note},
            "bars": [{**asdict(bar), **judge(bar, self.seconds)} for bar in self.bars],
        }


def judge(bar: Bar, seconds: Mapping[str, Sequence[float]]) -> dict[str, object]:
    """The measured ratio (or difference, in seconds) and whether the bar is met; None where a column is missing.

    A ratio is the median of the ratios round by round: the runs of one round lay side by side.
    """
    ours, theirs = seconds.get(bar.ours, []), seconds.get(bar.theirs, [])
    if not ours or (bar.theirs and not theirs):
        return {"measured": None, "met": None}
    if not bar.theirs:
        measured = statistics.median(ours)
    elif bar.difference:
        measured = statistics.median(a - b for a, b in zip(ours, theirs, strict=True))
    else:
        measured = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    met = (bar.most is None or measured <= bar.most) and (bar.least is None or measured >= bar.least)
    return {"measured": measured, "met": met}
