"""Several versions of one header family merged into one table.

A field keeps one place for ever or becomes a *variant*: the merged layout is the newest version's, each field carries
the span in which it came (from the first version that may have it to the first known to have it), and a struct whose
older layout is not a prefix of the newest is kept beside it under ``name@minor`` (valid up to that minor).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger import SINCE
from parse import Field, Parsed

Span = tuple[int, int]
ALWAYS: Span = (0, 0)


@dataclass(slots=True)
class Merged:
    """The table of one family: what the generator prints."""

    newest: int
    oldest: int
    structs: dict[str, list[tuple[Field, Span]]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    enums: dict[str, dict[str, tuple[int, Span]]] = field(default_factory=dict)


def _since(key: str, versions: list[int], present: list[int]) -> Span:
    first = present[0]
    if first == versions[0]:
        return ALWAYS
    before = max(v for v in versions if v < first)
    if (exact := SINCE.get(key)) is None:
        return before + 1, first
    if not before < exact <= first:
        raise SystemExit(f"ledger says {key} came with {exact}, the headers say after {before} and by {first}")
    return exact, exact


def _same_place(old: list[Field], new: list[Field]) -> bool:
    pairs = [(f.code, f.offset) for f in old]
    return pairs == [(f.code, f.offset) for f in new[: len(old)]]


def merge(family: list[Parsed]) -> Merged:
    """Oldest first in, one table out."""
    newest = family[-1]
    result = Merged(newest.minor, family[0].minor)
    versions = [parsed.minor for parsed in family]
    for name, fields in newest.structs.items():
        having = [parsed for parsed in family if name in parsed.structs]
        variants = [p for p in having if not _same_place(p.structs[name], fields)]
        for parsed in variants:
            result.structs[f"{name}@{parsed.minor}"] = [(f, ALWAYS) for f in parsed.structs[name]]
            result.sizes[f"{name}@{parsed.minor}"] = parsed.sizes[name]
        plain = [p for p in having if p not in variants]
        result.structs[name] = [(f, _field_since(name, f, family, plain, versions)) for f in fields]
        result.sizes[name] = newest.sizes[name]
    for name, values in newest.enums.items():
        result.enums[name] = {
            key: (value, _since(key, versions, [p.minor for p in family if key in p.enums.get(name, {})] or versions))
            for key, value in values.items()
        }
    return result


def _field_since(name: str, f: Field, family: list[Parsed], plain: list[Parsed], versions: list[int]) -> Span:
    present = [p.minor for p in plain if any((g.code, g.offset) == (f.code, f.offset) for g in p.structs[name])]
    named = f.path if name.endswith(("_Api", "_Extension")) else f"{name}.{f.path}"
    if present[0] == plain[0].minor:
        return ALWAYS
    return _since(named, versions, present)
