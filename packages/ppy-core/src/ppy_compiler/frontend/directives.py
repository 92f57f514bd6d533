"""``ppy`` directives among a function's decorators, found by the names that the module imports.

``import ppy`` (``as p``), ``import ppy.xla``, ``from ppy import pure`` (``as q``): resolved syntactically, so a
directive means the same to the compiler wherever the decorator is written out. Each is a pair: the dotted name
below ``ppy`` and the arguments, each a pair of keyword (or an empty string) and source text.
"""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py.directives import Directive
from ppy_compiler.support.spans import Span


class DirectiveNames:
    """What the module calls ``ppy`` and the things in it."""

    def __init__(self, tree: ast.Module) -> None:
        self._names: dict[str, str] = {}
        for statement in tree.body:
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    self._import(alias)
            elif isinstance(statement, ast.ImportFrom) and statement.module is not None and not statement.level:
                package, _, inner = statement.module.partition(".")
                if package == "ppy":
                    prefix = f"{inner}." if inner else ""
                    self._names.update((a.asname or a.name, prefix + a.name) for a in statement.names)

    def _import(self, alias: ast.alias) -> None:
        package, _, inner = alias.name.partition(".")
        if package == "ppy":
            self._names[alias.asname or package] = inner if alias.asname else ""

    def attributes(self, decorators: list[ast.expr]) -> dict[str, tuple[object, ...]]:
        """The attributes of a ``py.func`` with these ``decorators``: its directives in source order."""
        found = self._found(decorators)
        return {
            "directives": tuple(directive for directive, _ in found),
            "directive_places": tuple(tuple(span) for _, span in found),
        }

    def _found(self, decorators: list[ast.expr]) -> list[tuple[Directive, Span]]:
        if not self._names:
            return []
        found = []
        for decorator in decorators:
            call = decorator if isinstance(decorator, ast.Call) else None
            name = self._resolve(call.func if call is not None else decorator)
            if name:
                found.append(((name, _arguments(call) if call is not None else ()), Span.of(decorator)))
        return found

    def _resolve(self, node: ast.expr) -> str:
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._names:
            return ""
        return ".".join([part for part in (self._names[node.id], *reversed(path)) if part])


def _arguments(call: ast.Call) -> tuple[tuple[str, str], ...]:
    positional = [("", ast.unparse(arg)) for arg in call.args]
    return (*positional, *((k.arg or "**", ast.unparse(k.value)) for k in call.keywords))
