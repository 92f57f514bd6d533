"""Runs checks in processes of their own and reports: pass, absent, fail, crash, timeout."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..discovery import find_plugin
from ..doctor import _environment
from ..errors import PjrtError

BROKEN = ("fail", "crash", "timeout")

_ONE = """
import json, sys
from ppy_pjrt.conform import all_checks
from ppy_pjrt.errors import Unimplemented
try:
    result = ("pass", all_checks()[sys.argv[1]](sys.argv[2]))
except Unimplemented as error:
    result = ("absent", str(error).splitlines()[0])
except Exception as error:
    result = ("fail", type(error).__name__ + ": " + str(error))
print("\\n" + json.dumps(result))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One check's outcome."""

    name: str
    outcome: str
    detail: str


def run_check(name: str, path: str, timeout: float) -> Row:
    """One check, elsewhere."""
    command = [sys.executable, "-c", _ONE, name, path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=_environment())
    except subprocess.TimeoutExpired:
        return Row(name, "timeout", f"no answer within {timeout:.0f} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode or not lines:
        tail = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Row(name, "crash", f"the process ended with {done.returncode}: {tail[:300]}")
    outcome, detail = json.loads(lines[-1])
    return Row(name, outcome, detail)


def run(path: str, only: str = "", timeout: float = 120.0) -> dict[str, Any]:
    """The report on a plugin as plain data."""
    from . import all_checks

    rows = [run_check(name, path, timeout) for name in all_checks() if only in name]
    counts = Counter(row.outcome for row in rows)
    return {"plugin": path, "counts": dict(counts), "checks": [asdict(row) for row in rows]}


def render(report: dict[str, Any], verbose: bool) -> str:
    """The report for people."""
    lines = []
    for row in report["checks"]:
        if verbose or row["outcome"] != "pass":
            lines.append(f"{row['outcome']:8} {row['name']:32} {row['detail']}")
    lines.append(", ".join(f"{count} {outcome}" for outcome, count in sorted(report["counts"].items())))
    return "\n".join(lines)


def diff(first: dict[str, Any], second: dict[str, Any]) -> str:
    """What differs between two reports."""
    sides = [{row["name"]: row for row in report["checks"]} for report in (first, second)]
    lines = []
    for name in sorted({*sides[0], *sides[1]}):
        one, two = (side.get(name, {"outcome": "not run", "detail": ""}) for side in sides)
        if one["outcome"] != two["outcome"]:
            lines.append(f"{name}: {one['outcome']} -> {two['outcome']}  ({one['detail']} -> {two['detail']})")
        elif name.startswith("plugin.") and one["detail"] != two["detail"]:
            lines.append(f"{name}: {one['detail']} -> {two['detail']}")
    return "\n".join(lines) or "no difference in what the two can do"


def command(given: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """``ppy-pjrt conform``."""
    if given.diff:
        try:
            print(diff(*(json.loads(Path(path).read_text()) for path in given.diff)))
        except (OSError, ValueError) as error:
            parser.error(f"not two reports: {error}")
        return 0
    if not given.plugin:
        parser.error("name a plugin, or give --diff A B")
    try:
        path = str(find_plugin(given.plugin))
    except PjrtError as error:
        parser.error(str(error))
    report = run(path, given.only, given.timeout)
    print(json.dumps(report, indent=1) if given.json else render(report, given.verbose))
    return int(any(report["counts"].get(outcome) for outcome in BROKEN))
