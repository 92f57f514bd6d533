"""Binding a call's arguments to the parameters of a function of the module, as CPython does it."""

from __future__ import annotations

from dataclasses import dataclass

from ppy_compiler.dialects.py.functions import Func


@dataclass(frozen=True, slots=True)
class Defaults:
    """Which parameters may be left out: the last ``positional`` positional ones, and the named keyword-only ones."""

    positional: int = 0
    keywords: frozenset[str] = frozenset()
    known: bool = True


@dataclass(frozen=True, slots=True)
class Binding:
    """``slots``: per parameter (``*args``/``**kwargs`` aside) the argument's index or ``None`` for the default.
    ``extra``: arguments
    that ``*args`` takes, ``named``: those that ``**kwargs`` takes. ``problem``: why the call certainly raises
    TypeError, or empty."""

    slots: tuple[int | None, ...] = ()
    extra: tuple[int, ...] = ()
    named: tuple[int, ...] = ()
    problem: str = ""


def bind(func: Func, defaults: Defaults, count: int, kwnames: tuple[str, ...]) -> Binding:
    """Bind ``count`` arguments of which the last ``len(kwnames)`` are by name."""
    plain = count - len(kwnames)
    total = func.positional + func.kwonly
    slots: list[int | None] = [None] * total
    given = min(plain, func.positional)
    for index in range(given):
        slots[index] = index
    extra = tuple(range(func.positional, plain))
    if extra and not func.vararg:
        return Binding(problem=_too_many(func, defaults, plain))
    named: list[int] = []
    for offset, name in enumerate(kwnames):
        where = _parameter(func, name)
        if where is None:
            if not func.kwarg:
                if name in func.params[: func.posonly]:
                    return Binding(problem=f"`{func.qualname}()` takes `{name}` by position only")
                return Binding(problem=f"`{func.qualname}()` has no parameter `{name}`")
            named.append(plain + offset)
        elif slots[where] is not None:
            return Binding(problem=f"`{func.qualname}()` gets `{name}` twice")
        else:
            slots[where] = plain + offset
    missing = _missing(func, defaults, slots)
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        return Binding(problem=f"`{func.qualname}()` is called without {names}")
    return Binding(tuple(slots), extra, tuple(named))


def _parameter(func: Func, name: str) -> int | None:
    names = func.params[: func.positional + func.kwonly]
    for index in range(func.posonly, len(names)):
        if names[index] == name:
            return index
    return None


def _missing(func: Func, defaults: Defaults, slots: list[int | None]) -> list[str]:
    if not defaults.known:
        return []
    first_default = func.positional - defaults.positional
    return [
        func.params[index]
        for index, slot in enumerate(slots)
        if slot is None
        and (index < first_default if index < func.positional else func.params[index] not in defaults.keywords)
    ]


def _too_many(func: Func, defaults: Defaults, plain: int) -> str:
    least = func.positional - defaults.positional
    takes = f"{func.positional}" if least == func.positional else f"{least} to {func.positional}"
    word = "argument" if takes == "1" else "arguments"
    return f"`{func.qualname}()` takes {takes} positional {word}, not {plain}"


def signature_text(func: Func, defaults: Defaults) -> str:
    """The signature as it was written, for messages."""
    annotations = dict(func.annotations)
    parts: list[str] = []

    def shown(name: str, optional: bool) -> str:
        text = f"{name}: {annotations[name]}" if name in annotations else name
        return f"{text} = ..." if optional else text

    first_default = func.positional - defaults.positional
    for index in range(func.positional):
        parts.append(shown(func.params[index], index >= first_default))
        if func.posonly and index == func.posonly - 1:
            parts.append("/")
    rest = list(func.params[func.positional :])
    keyword_only, rest = rest[: func.kwonly], rest[func.kwonly :]
    if func.vararg:
        parts.append("*" + shown(rest.pop(0), False))
    elif keyword_only:
        parts.append("*")
    parts += [shown(name, name in defaults.keywords) for name in keyword_only]
    if func.kwarg:
        parts.append("**" + shown(rest.pop(0), False))
    returns = f" -> {annotations['return']}" if "return" in annotations else ""
    return f"{func.qualname}({', '.join(parts)}){returns}"
