"""Which functions run as Python for now, and the remark code that says why.

The builder notes *features* while it builds (``with``, ``except*``, ``super``, ``frame``: a builtin that reads the caller's
variables); this is the one place that turns them, and the scope, into a code.
"""

from __future__ import annotations

from ppy_compiler.frontend.scopes import Scope

GENERATOR = "R4001"
ASYNC = "R4002"
WITH = "R4003"
CLASS_BODY = "R4004"
REBOUND_CLOSURE = "R4005"
FRAME = "R4006"
EXCEPT_STAR = "R4007"
SUPER = "R4008"
TYPE_PARAMETERS = "R4009"

FRAME_READERS = frozenset({"exec", "eval", "locals", "vars", "dir"})
"""Builtins that need the running function's variables."""

_BY_FEATURE = (("with", WITH), ("frame", FRAME), ("except*", EXCEPT_STAR), ("super", SUPER))


def reason(scope: Scope, flavor: str, features: set[str]) -> str:
    """The code of the first reason to run as Python; empty when there is none."""
    if flavor == "generator":
        return GENERATOR
    if flavor != "plain":
        return ASYNC
    if scope.kind == "class":
        return CLASS_BODY
    if scope.kind == "typeparams":
        return TYPE_PARAMETERS
    for feature, code in _BY_FEATURE:
        if feature in features:
            return code
    return REBOUND_CLOSURE if scope.rebinds else ""
