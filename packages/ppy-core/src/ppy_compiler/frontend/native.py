"""Which functions run as Python for now, and the remark code that says why.

The builder notes *features* while it builds: ``super``; ``frame``, a builtin that reads the caller's variables, which
at a module's top level are its globals and need nothing; ``intrinsic``, which makes a type alias, whose value has a
scope of its own as a class has, and which only CPython's bytecode can make. This is the one place that turns them, and
the scope, into a code.
"""

from __future__ import annotations

from typing import Any

from ppy_compiler.frontend.scopes import Scope

GENERATOR = "R4001"
ASYNC = "R4002"
CLASS_BODY = "R4004"
FRAME = "R4006"
DYNAMIC = "R4008"
SUPER = "R4003"

FRAME_READERS = frozenset({"exec", "eval", "locals", "vars", "dir"})
"""Builtins that need the running function's variables."""


def reason(scope: Scope, flavor: str, features: set[str], directives: tuple[tuple[str, Any], ...]) -> str:
    """The code of the first reason to run as Python; empty when there is none."""
    if any(name == "dynamic" for name, *_ in directives):
        return DYNAMIC
    if flavor == "generator":
        return GENERATOR
    if flavor != "plain":
        return ASYNC
    if scope.kind in ("class", "typeparams") or "intrinsic" in features:
        return CLASS_BODY
    if "frame" in features and scope.kind != "module":
        return FRAME
    return SUPER if "super" in features else ""
