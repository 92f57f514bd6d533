"""The dialects: one package each, loaded by name when something first needs it.

``DIALECTS`` is the only list of them. A dialect package has ``OPS``: its operation classes.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppy_compiler.ir import Op, Operation

DIALECTS = {
    "arith": "ppy_compiler.dialects.arith",
    "builtin": "ppy_compiler.dialects.builtin",
    "cf": "ppy_compiler.dialects.cf",
    "func": "ppy_compiler.dialects.func",
    "mem": "ppy_compiler.dialects.mem",
    "py": "ppy_compiler.dialects.py",
    "tensor": "ppy_compiler.dialects.tensor",
}
VERSIONS = dict.fromkeys(DIALECTS, 1)
"""Each dialect's version in the text form; raised when old text would be read wrongly."""


@cache
def dialect_ops(dialect: str) -> dict[str, type[Op]]:
    """Operation classes of ``dialect`` by full name; ``KeyError`` for an unknown dialect."""
    module = importlib.import_module(DIALECTS[dialect])
    return {op.name: op for op in module.OPS}


def op_class(name: str) -> type[Op]:
    """The operation called ``dialect.name``; ``KeyError`` when there is none."""
    return dialect_ops(name.partition(".")[0])[name]


def dump(op: Operation) -> str:
    """The text of a ``.ppyir`` file for ``op``."""
    from ppy_compiler.ir.printer import print_module

    return print_module(op, VERSIONS)


def load(text: str) -> Operation:
    """The operation that ``text`` describes; ``ir.parser.ParseError`` says where it cannot be read."""
    from ppy_compiler.ir.parser import parse_module

    return parse_module(text, op_class, VERSIONS)
