"""Reads ``ppy_support.h``: the declarations of support functions, as rows of the signature table.

Takes the text of the header, guarantees that every declaration is understood (an unknown convention or type is an
error), and leaves writing the table to ``generate.py``.
"""

from __future__ import annotations

import re
from typing import Final

CONVENTIONS: Final = frozenset(
    ("NOFAIL", "NEW", "MAYBE", "BORROWED", "STATUS", "TRI", "SIZE", "OK", "RAISES", "MIXED", "FAILS", "SPECIAL")
)
SCALARS: Final = {
    "void": "void",
    "int": "i32",
    "int32_t": "i32",
    "int64_t": "i64",
    "uint64_t": "i64",
    "size_t": "i64",
    "Py_ssize_t": "i64",
    "Py_hash_t": "i64",
    "ppy_region_body": "ptr",
    "double": "f64",
    "ppy_i64r": "i64r",
    "ppy_f64r": "f64r",
}
PLACED: Final = re.compile(r"^PPY_(HOT|COLD)\((\w+)\)\s+([^;]+?)\s*;", re.MULTILINE)
CAPI: Final = re.compile(r"^PPY_CAPI\((\w+),\s*([^,]+),\s*(.+)\)$", re.MULTILINE)
DECLARATOR: Final = re.compile(r"^(?P<type>.*?)(?P<name>\w+)\((?P<parameters>.*)\)$", re.DOTALL)

Row = tuple[str, str, str, str, tuple[tuple[str, str, bool], ...]]


class HeaderError(Exception):
    """The header says something that this reader does not know."""


def functions(text: str) -> list[Row]:
    """Rows (name, place, convention, result, parameters) in the header's order."""
    without_comments = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    body = without_comments.split("#define PPY_COLD", 1)[1]
    rows = [_row(place.lower(), convention, declarator) for place, convention, declarator in PLACED.findall(body)]
    rows += [_row("capi", convention, f"{result} {rest}") for convention, result, rest in CAPI.findall(body)]
    names = [row[0] for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise HeaderError(f"{name} is declared twice")
    return rows


def _row(place: str, convention: str, declarator: str) -> Row:
    if convention not in CONVENTIONS:
        raise HeaderError(f"unknown convention {convention} of {declarator}")
    match = DECLARATOR.match(" ".join(declarator.split()))
    if match is None:
        raise HeaderError(f"not a declaration: {declarator}")
    parameters = [] if match["parameters"] == "void" else _split(match["parameters"])
    return (
        match["name"],
        place,
        convention,
        _type(match["type"]),
        tuple(_parameter(parameter) for parameter in parameters),
    )


def _split(parameters: str) -> list[str]:
    """Parameters at the top level: a function pointer has commas of its own."""
    parts = [""]
    depth = 0
    for character in parameters:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _parameter(text: str) -> tuple[str, str, bool]:
    pointer = re.match(r"^\w+ \(\*(\w+)\)\(.*\)$", text)
    if pointer:
        return pointer[1], "ptr", False
    match = re.match(r"^(PPY_STOLEN )?(.*?)(\w+)$", text)
    if match is None:
        raise HeaderError(f"not a parameter: {text}")
    return match[3], _type(match[2]), match[1] is not None


def _type(text: str) -> str:
    stripped = text.strip()
    if stripped.endswith("*"):
        return "ptr"
    if stripped not in SCALARS:
        raise HeaderError(f"unknown type {stripped!r}")
    return SCALARS[stripped]


STRUCT: Final = re.compile(r"^(?:typedef )?struct (\w+) \{(.*?)^\}", re.MULTILINE | re.DOTALL)
ENUM: Final = re.compile(r"^enum \{(.*?)\}", re.MULTILINE | re.DOTALL)
FIELD_SCALARS: Final = {"uintptr_t": "i64", "int64_t": "i64", "uint64_t": "i64", "int32_t": "i32", "uint32_t": "i32"}


def structs(text: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Fields (name, type) of the structures in ``ppy_types.h``, in memory order."""
    body = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return [
        (name, tuple(_field(" ".join(field.split())) for field in fields.split(";") if field.strip()))
        for name, fields in STRUCT.findall(body)
    ]


def constants(text: str) -> list[tuple[str, int]]:
    """Enumerators of ``ppy_types.h`` and the ABI number."""
    body = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = [(name, int(value)) for name, value in re.findall(r"^#define (PPY_\w+) (\d+)$", body, re.MULTILINE)]
    for entries in ENUM.findall(body):
        for entry in entries.split(","):
            if entry.strip():
                name, _, value = entry.partition("=")
                found.append((name.strip(), int(value)))
    return found


def _field(text: str) -> tuple[str, str]:
    pointer = re.match(r"^.*\(\*(\w+)\)\(.*\)$", text)
    if pointer:
        return pointer[1], "ptr"
    match = re.match(r"^(.*?)(\w+)$", text)
    if match is None:
        raise HeaderError(f"not a field: {text}")
    kind = match[1].strip()
    if kind.endswith("*") or kind == "vectorcallfunc":
        return match[2], "ptr"
    return match[2], FIELD_SCALARS[kind]
