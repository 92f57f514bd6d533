"""All declared codes, by family: the table of families, and the look-ups.

To add a code, add one `Code(...)` constant to the module of its family below and run `tools/diagnostics_docs.py`; to
add a family, add a row here. A module is imported only when one of its codes is used or asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from ppy_compiler.diagnostics.code import CODE_FORM, Code


@dataclass(frozen=True, slots=True)
class Family:
    """The codes that begin with `prefix`; errors among them end a command with `exit_status`."""

    prefix: str
    name: str
    module: str
    title: str
    exit_status: int = 1


FAMILIES = (
    Family("E01", "syntax", "syntax", "Reading and syntax"),
    Family("E11", "types", "types", "Types"),
    Family("E12", "contracts", "contracts", "Directives and contracts"),
    Family("E13", "annotations", "annotations", "Annotations"),
    Family("E18", "artifacts", "artifacts", "Artifacts, manifests, cache", exit_status=2),
    Family("E19", "plugins", "plugins", "Plugins and backends", exit_status=2),
    Family("E20", "configuration", "configuration", "Configuration", exit_status=2),
    Family("E21", "toolchain", "toolchain", "Toolchain", exit_status=2),
    Family("E30", "internal", "internal", "Faults of PPY itself", exit_status=3),
    Family("R40", "stayed-python", "stayed_python", "Functions that stayed Python"),
    Family("R41", "stayed-general", "stayed_general", "Operations that stayed general"),
    Family("R42", "expansion", "expansion", "Calls that are not expanded"),
    Family("R43", "threads", "threads", "Loops that stay on one thread"),
    Family("W50", "warnings", "warnings", "Warnings"),
)
_BY_PREFIX = {family.prefix: family for family in FAMILIES}


def family_of(code: str) -> Family:
    """The family of a code; raises LookupError for a code that belongs to none."""
    family = _BY_PREFIX.get(code[:3])
    if family is None or not CODE_FORM.fullmatch(code):
        raise LookupError(f"there is no diagnostic {code!r}")
    return family


def codes_of(family: Family) -> list[Code]:
    """The codes of one family in the order of their numbers."""
    module = import_module(f"{__name__}.{family.module}")
    return sorted((value for value in vars(module).values() if isinstance(value, Code)), key=lambda code: code.code)


def all_codes() -> Iterator[Code]:
    """Every declared code, family by family."""
    for family in FAMILIES:
        yield from codes_of(family)


def exit_status_of(name: str) -> int:
    """What a command that reports this error ends with."""
    status = find(name).exit_status
    return family_of(name).exit_status if status is None else status


def find(name: str) -> Code:
    """The code called `name`, which is a code ("E1101", in either case) or a slug ("argument-type")."""
    try:
        candidates: Iterator[Code] = iter(codes_of(family_of(name.upper())))
    except LookupError:
        candidates = all_codes()
    for code in candidates:
        if name.upper() == code.code or name == code.slug:
            return code
    raise LookupError(f"there is no diagnostic {name!r}")
