"""The walk that collects scopes (see ``symbols``, which has a handler for each construct that concerns them)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ppy_compiler.frontend.scopes import Scope

Handler = Callable[["Collector", Any], None]


@dataclass(slots=True)
class SymbolTable:
    """Scopes by node; those of type parameters by ``(node, part)``."""

    module: Scope
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    parts: dict[tuple[ast.AST, str], Scope] = field(default_factory=dict)
    loop_stores: dict[ast.AST, set[str]] = field(default_factory=dict)
    text_annotations: bool = False


class Collector:
    """One walk over the tree; ``scope`` is where names belong at the moment."""

    def __init__(self, tree: ast.Module, handlers: Mapping[type[ast.AST], Handler]) -> None:
        self.handlers = handlers
        self.order: list[Scope] = []
        self.scope = self.table_root(tree)
        self.table = SymbolTable(self.scope, {tree: self.scope})
        self.table.text_annotations = _future_annotations(tree)
        self.many(tree.body)

    def table_root(self, tree: ast.Module) -> Scope:
        scope = Scope("module", "<module>", tree, None, 0)
        self.order.append(scope)
        return scope

    # --- walking ---------------------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        handler = self.handlers.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            self.children(node)

    def children(self, node: ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                self.many(value)
            elif isinstance(value, ast.AST) and value._fields:
                self.visit(value)

    def many(self, nodes: list[Any]) -> None:
        for node in nodes:
            if isinstance(node, ast.AST):
                self.visit(node)

    def optional(self, node: ast.AST | None) -> None:
        if node is not None:
            self.visit(node)

    # --- names -----------------------------------------------------------------------------------------------------

    def bind(self, name: str, scope: Scope | None = None) -> None:
        scope = self.scope if scope is None else scope
        name = scope.mangle(name)
        weight = 2 if scope.open_loops else 1
        scope.bound[name] = scope.bound.get(name, 0) + weight
        key = scope.key(name)
        for stores in scope.open_loops:
            stores.add(key)

    def use(self, name: str) -> None:
        self.scope.used[self.scope.mangle(name)] = None

    def enter(self, kind: str, name: str, node: ast.AST, part: str = "") -> Scope:
        parent = self.scope
        scope = Scope(kind, name, node, parent, len(self.order), private=parent.private)
        self.order.append(scope)
        if part:
            self.table.parts[node, part] = scope
        else:
            self.table.scopes[node] = scope
        self.scope = scope
        return scope

    def leave(self, scope: Scope) -> None:
        assert scope.parent is not None
        self.scope = scope.parent


def _future_annotations(tree: ast.Module) -> bool:
    return any(
        isinstance(s, ast.ImportFrom) and s.module == "__future__" and any(a.name == "annotations" for a in s.names)
        for s in tree.body
    )
