"""Versions and version bounds as package metadata writes them: the part of PEP 440 and PEP 508 that discovery reads.

The standard library has no such comparison, and the compiler needs nothing but the standard library. A version or a
bound that does not parse fits nothing: an extension is then refused with the text that could not be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_VERSION = re.compile(
    r"\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>a|alpha|b|beta|c|rc|pre|preview)[-_.]?(?P<pre_n>\d*))?"
    r"(?P<post>-\d+|[-_.]?(?:post|rev|r)[-_.]?\d*)?"
    r"(?P<dev>[-_.]?dev[-_.]?\d*)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?\s*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s*(~=|===|==|!=|<=|>=|<|>)\s*([^\s,]+)\s*")
_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^]]*\])?\s*"
    r"\(?(?P<bound>[^;()@]*)\)?\s*(?:;(?P<marker>.*))?"
)
_EXTRA = re.compile(r"""\bextra\s*==\s*["']([^"']+)["']""")
_PRE = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}
_FINAL = 3

Key = tuple[int, tuple[int, ...], tuple[int, int], int, int]


def version_key(text: str) -> Key | None:
    """A key that sorts versions as PEP 440 does (local parts left out), or None for a text that is no version."""
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    release = tuple(int(part) for part in match["release"].split("."))
    while len(release) > 1 and release[-1] == 0:
        release = release[:-1]
    dev = _number(match["dev"])
    post = _number(match["post"])
    if match["pre"]:
        pre = (_PRE[match["pre"].lower()], int(match["pre_n"] or 0))
    else:
        pre = (-1, 0) if dev is not None and post is None else (_FINAL, 0)
    return int(match["epoch"] or 0), release, pre, -1 if post is None else post, 2**62 if dev is None else dev


def _number(text: str | None) -> int | None:
    return None if text is None else int(re.sub(r"\D", "", text) or 0)


def fits(version: str, bound: str) -> bool:
    """True when `version` satisfies every clause of `bound` (">=1.26,<3"); an empty bound admits every version."""
    return all(_fits_clause(version, clause) for clause in bound.split(",") if clause.strip())


def _fits_clause(version: str, clause: str) -> bool:
    match = _CLAUSE.fullmatch(clause)
    key = version_key(version)
    if match is None or key is None:
        return False
    operator, wanted = match.groups()
    if operator == "===":
        return version.strip().lower() == wanted.lower()
    if wanted.endswith(".*"):
        inside = _starts_with(version, wanted[:-2])
        return inside if operator == "==" else not inside if operator == "!=" else False
    other = version_key(wanted)
    if other is None:
        return False
    if operator == "~=":
        return key >= other and _starts_with(version, wanted.rpartition(".")[0])
    same_release = key[:2] == other[:2]
    match operator:
        case "==":
            return key == other
        case "!=":
            return key != other
        case "<=":
            return key <= other
        case ">=":
            return key >= other
        case "<":  # PEP 440: `<1.0` does not admit 1.0's own pre-releases
            return key < other and not (same_release and other[2][0] == _FINAL)
        case _:  # nor `>1.0` its post-releases
            return key > other and not (same_release and other[3] < 0)


def _starts_with(version: str, prefix: str) -> bool:
    wanted = [int(part) for part in prefix.split(".") if part.isdigit()]
    match = _VERSION.fullmatch(version)
    if match is None:
        return False
    release = [int(part) for part in match["release"].split(".")]
    release += [0] * (len(wanted) - len(release))
    return release[: len(wanted)] == wanted


@dataclass(frozen=True, slots=True)
class Requirement:
    """One `Requires-Dist` line: a distribution, the bound on its version, the extra that wants it ("" without one)."""

    name: str
    bound: str
    extra: str


def parse_requirement(text: str) -> Requirement | None:
    """The requirement that `text` writes; None for a form this reading does not know (a direct reference)."""
    match = _REQUIREMENT.fullmatch(text)
    if match is None:
        return None
    extra = _EXTRA.search(match["marker"] or "")
    return Requirement(match["name"], match["bound"].strip(), extra[1] if extra else "")
