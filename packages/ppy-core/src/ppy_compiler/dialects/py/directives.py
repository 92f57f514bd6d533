"""What a function's directives ask of code generation, read from the ``directives`` of its ``py.func``.

Arguments are source text, and wrong ones are reported by the checker: here what cannot be meant asks for nothing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

Directive = tuple[str, tuple[tuple[str, str], ...]]
OPT_LEVELS = range(4)


@dataclass(frozen=True, slots=True)
class CodeDirectives:
    """``level``: of optimisation, ``None`` for the project's. ``inline``: calls are expanded in place; ``noinline``:
    they never are. ``fastmath``: floats may be reassociated and contracted. ``parallel``: loops may run on threads.
    ``specialize``: calls with constants have versions of their own."""

    level: int | None = None
    inline: bool = False
    noinline: bool = False
    fastmath: bool = False
    parallel: bool = False
    specialize: bool = False


def code_directives(directives: tuple[Directive, ...]) -> CodeDirectives:
    """Of contradicting ones, the first level counts (it is applied last), and not expanding is the safe side."""
    names = {name for name, _ in directives}
    levels = (opt_level(arguments) for name, arguments in directives if name == "opt")
    return CodeDirectives(
        level=next((level for level in levels if level is not None), None),
        inline="inline" in names and "noinline" not in names,
        noinline="noinline" in names,
        fastmath="fastmath" in names,
        parallel="parallel" in names,
        specialize="specialize" in names,
    )


def opt_level(arguments: tuple[tuple[str, str], ...]) -> int | None:
    """The level that ``@ppy.opt(level)`` names, if it is one."""
    if len(arguments) != 1 or arguments[0][0] not in ("", "level"):
        return None
    try:
        level: object = ast.literal_eval(arguments[0][1])
    except (ValueError, SyntaxError):
        return None
    return level if type(level) is int and level in OPT_LEVELS else None
