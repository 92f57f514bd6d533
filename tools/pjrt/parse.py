"""From one version's headers to plain data: structs with field names and types, enumerators, declared versions.

gcc preprocesses, pycparser reads names and types, and a compiled probe prints every offset and size: the parser's own
idea of layout is never used.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headers import Headers
from pycparser import CParser, c_ast

SCALARS = {
    "size_t": "N", "int": "i", "int32_t": "i", "uint32_t": "I", "unsigned int": "I", "int64_t": "q",
    "uint64_t": "Q", "_Bool": "?", "bool": "?", "float": "f", "uint8_t": "B", "intptr_t": "q", "uintptr_t": "Q",
}  # fmt: skip
SIZES = {"N": 8, "i": 4, "I": 4, "q": 8, "Q": 8, "?": 1, "f": 4, "B": 1, "p": 8}

PRELUDE = """
typedef unsigned long size_t; typedef int int32_t; typedef unsigned int uint32_t; typedef long int64_t;
typedef unsigned long uint64_t; typedef unsigned char uint8_t; typedef long intptr_t; typedef unsigned long uintptr_t;
"""


@dataclass(frozen=True, slots=True)
class Field:
    """A leaf field: its dotted path, its code, and (from the probe) its offset."""

    path: str
    code: str
    offset: int


@dataclass(slots=True)
class Parsed:
    """What one version declares."""

    minor: int
    structs: dict[str, list[Field]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)


class _Reader:
    """Collects declarations of one preprocessed translation unit."""

    def __init__(self, unit: c_ast.FileAST) -> None:
        self.structs: dict[str, c_ast.Struct] = {}
        self.spelling: dict[str, str] = {}
        self.typedefs: dict[str, Any] = {}
        self.enums: dict[str, c_ast.Enum] = {}
        for node in unit.ext:
            self._declare(node)

    def _declare(self, node: Any) -> None:
        if isinstance(node, c_ast.Typedef):
            self.typedefs[node.name] = node.type
        kind = node.type
        while isinstance(kind, (c_ast.TypeDecl, c_ast.PtrDecl)):
            kind = kind.type
        if isinstance(kind, c_ast.Struct) and kind.decls:
            name = kind.name or node.name
            self.structs[name] = kind
            self.spelling[name] = f"struct {kind.name}" if kind.name else node.name
        if isinstance(kind, c_ast.Enum) and kind.values:
            self.enums[kind.name or node.name or kind.values.enumerators[0].name] = kind

    def leaves(self, struct: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
        for decl in struct.decls:
            yield from self._leaf(decl.name, decl.type, prefix)

    def _leaf(self, name: str | None, kind: Any, prefix: str) -> Iterator[tuple[str, str]]:
        path = f"{prefix}{name}" if name else prefix.rstrip(".")
        if isinstance(kind, c_ast.PtrDecl):
            yield path, "p"
            return
        inner = kind.type if isinstance(kind, c_ast.TypeDecl) else kind
        if isinstance(inner, c_ast.Enum):
            yield path, "i"
        elif isinstance(inner, (c_ast.Struct, c_ast.Union)):
            body = inner if inner.decls else self.structs[inner.name]
            yield from self.leaves(body, f"{path}." if name else prefix)
        else:
            yield from self._named(path, name, " ".join(inner.names), prefix)

    def _named(self, path: str, name: str | None, spelled: str, prefix: str) -> Iterator[tuple[str, str]]:
        if spelled in SCALARS:
            yield path, SCALARS[spelled]
            return
        target = self.typedefs.get(spelled)
        if target is None:
            raise ValueError(f"unknown type {spelled} at {path}")
        yield from self._leaf(name, target, prefix)


def _preprocess(headers: Headers, text: str) -> str:
    """gcc -E without system headers: the few names they bring come from PRELUDE, which pycparser can read."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h", "stdbool.h", "assert.h"):
            Path(empty, name).touch()
        command = ["gcc", "-E", "-P", "-nostdinc", "-Dbool=_Bool", f"-I{empty}", f"-I{headers.folder}", "-x", "c", "-"]
        return PRELUDE + subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _probe(headers: Headers, reader: _Reader, leaves: dict[str, list[tuple[str, str]]]) -> list[list[int]]:
    lines = []
    for name, paths in leaves.items():
        spelled = reader.spelling[name]
        size = f"{name}_STRUCT_SIZE" if any(f"{name}_STRUCT_SIZE" == e for e in reader.enums) else f"sizeof({spelled})"
        lines.append(f'printf("%zu", (size_t)({size}));')
        for path, code in paths:
            value = f"(({spelled}*)0)->{path}"
            lines.append(f'printf(" %zu", offsetof({spelled}, {path}));')
            lines.append(f'_Static_assert(sizeof({value}) == {SIZES[code]}, "{name}.{path}");')
        lines.append('printf("\\n");')
    source = "#include <stdio.h>\n" + headers.unit + "int main(void) {" + "\n".join(lines) + "return 0; }\n"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "probe")
        command = ["gcc", "-w", f"-I{headers.folder}", "-x", "c", "-", "-o", str(program)]
        subprocess.run(command, input=source, text=True, check=True)
        printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return [[int(word) for word in line.split()] for line in printed.splitlines()]


def parse(headers: Headers) -> Parsed:
    """Reads one version completely and checks the minor it declares against the pinned one."""
    body = _preprocess(headers, headers.unit)
    unit = CParser().parse(body)
    reader = _Reader(unit)
    result = Parsed(headers.source.minor)
    wanted = {name: list(reader.leaves(node)) for name, node in reader.structs.items() if _ours(name)}
    for (name, paths), row in zip(wanted.items(), _probe(headers, reader, wanted), strict=True):
        result.sizes[name] = row[0]
        result.structs[name] = [Field(path, code, offset) for (path, code), offset in zip(paths, row[1:], strict=True)]
    for name, node in reader.enums.items():
        if _ours(name) and not name.endswith("_STRUCT_SIZE"):
            result.enums[name] = _enumerators(node)
    _check_minor(headers)
    return result


def _ours(name: str) -> bool:
    return name.startswith(("PJRT_", "XLA_FFI_", "PLUGIN_"))


def _enumerators(node: c_ast.Enum) -> dict[str, int]:
    values: dict[str, int] = {}
    following = 0
    for item in node.values.enumerators:
        if isinstance(item.value, c_ast.Constant):
            following = int(item.value.value.rstrip("uU"), 0)
        elif isinstance(item.value, c_ast.BinaryOp):
            following = int(item.value.left.value.rstrip("uU")) << int(item.value.right.value)
        values[item.name] = following
        following += 1
    return values


def _check_minor(headers: Headers) -> None:
    macro = "PJRT_API_MINOR" if headers.source.family == "pjrt" else "XLA_FFI_API_MINOR"
    expanded = _preprocess(headers, headers.unit + f"\nint declared = {macro};\n")
    found = re.search(r"int declared = (\d+);", expanded)
    if found is None or int(found[1]) != headers.source.minor:
        raise SystemExit(f"{headers.source.requirement}: expected minor {headers.source.minor}, found {found}")
