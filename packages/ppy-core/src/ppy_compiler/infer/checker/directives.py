"""Directives: what they stand on, their arguments, contradictions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ppy_compiler.diagnostics.codes import contracts as codes
from ppy_compiler.dialects.py.directives import Directive, opt_level
from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.infer.checker.context import Context
from ppy_compiler.infer.checker.language import CONFLICTS, DIRECTIVES, OF_CLASSES
from ppy_compiler.support.spans import Span
from ppy_compiler.support.suggest import did_you_mean


def check_function(func: Func, context: Context) -> None:
    for directive, place in zip(func.directives, func.directive_places, strict=True):
        name, _ = directive
        span = Span(*place)
        if name not in DIRECTIVES:
            continue  # an unknown attribute of the module: reported there
        if func.kind == "class" and name not in OF_CLASSES:
            context.report(
                codes.DIRECTIVE_TARGET, span, func.qualname, directive=name, target=f"the class `{func.qualname}`"
            )
            continue
        problem, remedy = _problem(directive)
        if problem:
            context.report(
                codes.DIRECTIVE_ARGUMENT, span, func.qualname, directive=name, problem=problem, remedy=remedy
            )
    for first, second in _conflicts(func.directives):
        context.report(
            codes.DIRECTIVE_CONFLICT,
            func.span,
            func.qualname,
            first=first,
            second=second,
            function=f"{func.qualname}()",
        )


def _conflicts(directives: tuple[Directive, ...]) -> Iterator[tuple[str, str]]:
    names = {name for name, _ in directives}
    yield from ((first, second) for first, second in CONFLICTS if first in names and second in names)
    levels = dict.fromkeys(opt_level(arguments) for name, arguments in directives if name == "opt")
    levels.pop(None, None)
    for first, second in pairwise(levels):
        yield f"opt({first})", f"opt({second})"


def _problem(directive: Directive) -> tuple[str, str]:
    """What is wrong with the arguments, and what to write instead; empty where nothing is."""
    name, arguments = directive
    keywords = DIRECTIVES[name]
    for keyword, _ in arguments:
        if keyword and keyword not in keywords:
            takes = ", ".join(f"`{k}=`" for k in sorted(keywords))
            remedy = f"it takes {takes}" if keywords else "it takes no arguments"
            return f"there is no argument `{keyword}`{did_you_mean(keyword, sorted(keywords))}", remedy
    if name == "opt":
        if opt_level(arguments) is None:
            shown = ", ".join(text for _, text in arguments) or "nothing"
            return f"the level is 0, 1, 2 or 3, not {shown}", "write `@ppy.opt(2)`"
    elif any(not keyword for keyword, _ in arguments):
        return "it takes no arguments by position", f"write `@ppy.{name}`"
    return "", ""
