"""Collects the scopes of a module from its syntax: what each block of code binds, uses and declares.

Takes a syntax tree that CPython's compiler accepted, so nothing is checked here. Guarantees one :class:`Scope` per
block of code, found by its syntax node, and for each loop the variables stored in it (which spares SSA construction
from guessing). Order of the tree is CPython's: decorators, defaults, annotations and the first iterable of a
comprehension belong to the scope around.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from ppy_compiler.frontend.collector import Collector, Handler, SymbolTable
from ppy_compiler.frontend.scopes import Scope, resolve

INLINES_COMPREHENSIONS = sys.version_info >= (3, 12)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def collect(tree: ast.Module) -> SymbolTable:
    """The resolved symbol table of ``tree``."""
    collector = Collector(tree, HANDLERS)
    resolve(collector.order)
    return collector.table


# --- one handler per construct that concerns scopes ------------------------------------------------------------------


def name_(c: Collector, node: ast.Name) -> None:
    if isinstance(node.ctx, ast.Load):
        c.use(node.id)
        if node.id == "super" and c.scope.is_function and c.scope.kind != "typeparams":
            c.use("__class__")
    else:
        c.bind(node.id)


def constant(c: Collector, node: ast.Constant) -> None:
    """Nothing to see."""


def function_def(c: Collector, node: FunctionNode) -> None:
    c.many(node.decorator_list)
    params = type_params(node)
    _defaults(c, node.args)
    outer = c.scope
    if params:
        scope = _enter_type_params(c, node.name, node, params)
        # The defaults are evaluated outside and handed in.
        for name, given in ((".defaults", node.args.defaults), (".kwdefaults", any(node.args.kw_defaults))):
            if given:
                c.bind(name)
                scope.params.append(name)
    _annotations(c, node)
    c.enter("function", node.name, node)
    _parameters(c, node.args)
    c.many(node.body)
    c.scope = outer
    c.bind(node.name)


def lambda_(c: Collector, node: ast.Lambda) -> None:
    _defaults(c, node.args)
    scope = c.enter("lambda", "<lambda>", node)
    _parameters(c, node.args)
    c.visit(node.body)
    c.leave(scope)


def _defaults(c: Collector, args: ast.arguments) -> None:
    c.many(args.defaults)
    c.many(args.kw_defaults)


def _parameters(c: Collector, args: ast.arguments) -> None:
    for arg in ordered_parameters(args):
        c.bind(arg.arg)
        c.scope.params.append(c.scope.mangle(arg.arg))


def ordered_parameters(args: ast.arguments) -> list[ast.arg]:
    """In the order of ``co_varnames``."""
    rest = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *rest]


def _annotations(c: Collector, node: FunctionNode) -> None:
    if c.table.text_annotations:
        return
    for arg in ordered_parameters(node.args):
        c.optional(arg.annotation)
    c.optional(node.returns)


def class_def(c: Collector, node: ast.ClassDef) -> None:
    c.many(node.decorator_list)
    params = type_params(node)
    outer = c.scope
    if params:
        _enter_type_params(c, node.name, node, params, private=node.name)
        for name in (".type_params", ".generic_base"):
            c.bind(name)
        c.use(".generic_base")
    c.many(node.bases)
    c.many(node.keywords)
    scope = c.enter("class", node.name, node)
    scope.private = node.name
    if params:
        c.use(".type_params")
    c.many(node.body)
    c.scope = outer
    c.bind(node.name)


def type_params(node: ast.AST) -> list[ast.AST]:
    """Of a function, class or type alias; none before 3.12."""
    return getattr(node, "type_params", None) or []


def _enter_type_params(
    c: Collector, name: str, node: ast.AST, params: list[ast.AST], private: str | None = None
) -> Scope:
    in_class = c.scope.kind == "class"
    scope = c.enter("typeparams", f"<generic parameters of {name}>", node, "params")
    scope.private = private or scope.private
    _see_class(c, scope, in_class)
    for param in params:
        _type_param(c, param)
    return scope


def _see_class(c: Collector, scope: Scope, in_class: bool) -> None:
    scope.sees_class = in_class
    if in_class:
        c.use("__classdict__")


def _type_param(c: Collector, node: Any) -> None:
    c.bind(node.name)
    in_class = c.scope.sees_class
    for part in ("bound", "default_value"):
        expression = getattr(node, part, None)
        if expression is not None:
            scope = c.enter("typeparams", node.name, node, part)
            _see_class(c, scope, in_class)
            c.visit(expression)
            c.leave(scope)


def type_alias(c: Collector, node: Any) -> None:
    outer = c.scope
    in_class = outer.kind == "class"
    c.visit(node.name)
    if node.type_params:
        _enter_type_params(c, node.name.id, node, node.type_params)
    scope = c.enter("typeparams", node.name.id, node, "value")
    _see_class(c, scope, in_class)
    c.visit(node.value)
    c.scope = outer


def comprehension(c: Collector, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
    first, *others = node.generators
    c.visit(first.iter)
    is_generator = isinstance(node, ast.GeneratorExp)
    name = {
        ast.ListComp: "<listcomp>",
        ast.SetComp: "<setcomp>",
        ast.DictComp: "<dictcomp>",
        ast.GeneratorExp: "<genexpr>",
    }[type(node)]
    scope = c.enter("comprehension", name, node)
    parent = scope.parent
    assert parent is not None
    scope.inlined = INLINES_COMPREHENSIONS and not is_generator and not parent.sees_class
    if not scope.inlined:
        scope.params.append(".0")
        scope.bound[".0"] = 1
    stores: set[str] = set()
    owners = (scope, _walrus_scope(scope))
    for owner in owners:
        owner.open_loops.append(stores)
    c.visit(first.target)
    c.many(first.ifs)
    c.many(others)
    c.many([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
    for owner in owners:
        owner.open_loops.pop()
    c.table.loop_stores[node] = stores
    c.leave(scope)


def _walrus_scope(scope: Scope) -> Scope:
    while scope.kind == "comprehension":
        assert scope.parent is not None
        scope = scope.parent
    return scope


def named_expr(c: Collector, node: ast.NamedExpr) -> None:
    target = _walrus_scope(c.scope)
    if target is c.scope:
        c.visit(node.target)
    else:
        name = c.scope.mangle(node.target.id)
        c.bind(node.target.id, target)
        is_global = target.kind == "module" or name in target.globals
        scope: Scope | None = c.scope
        while scope is not None and scope is not target:
            (scope.globals if is_global else scope.nonlocals).add(name)
            scope.bound[name] = scope.bound.get(name, 0) + 1
            scope = scope.parent
    c.visit(node.value)


def loop(c: Collector, node: ast.For | ast.AsyncFor | ast.While) -> None:
    if isinstance(node, ast.While):
        _open_loop(c, node)
        c.visit(node.test)
    else:
        c.visit(node.iter)
        _open_loop(c, node)
        c.visit(node.target)
    c.many(node.body)
    c.scope.open_loops.pop()
    c.many(node.orelse)


def _open_loop(c: Collector, node: ast.AST) -> None:
    stores = c.table.loop_stores[node] = set()
    c.scope.open_loops.append(stores)


def global_(c: Collector, node: ast.Global) -> None:
    c.scope.globals.update(c.scope.mangle(n) for n in node.names)


def nonlocal_(c: Collector, node: ast.Nonlocal) -> None:
    c.scope.nonlocals.update(c.scope.mangle(n) for n in node.names)
    for name in node.names:
        c.use(name)


def import_(c: Collector, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name != "*":
            c.bind(alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name))


def except_handler(c: Collector, node: ast.ExceptHandler) -> None:
    c.optional(node.type)
    if node.name is not None:
        c.bind(node.name)
    c.many(node.body)


def capture(c: Collector, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
    c.children(node)
    if name is not None:
        c.bind(name)


def ann_assign(c: Collector, node: ast.AnnAssign) -> None:
    if isinstance(node.target, ast.Name) and not node.simple and node.value is None:
        pass  # `(x): int` binds nothing
    elif isinstance(node.target, ast.Name) and node.simple and c.scope.mangle(node.target.id) in c.scope.globals:
        if node.value is not None:
            c.bind(node.target.id)
    else:
        c.visit(node.target)
    if node.simple and not c.scope.is_function:
        c.scope.has_annotations = True
    if isinstance(node.target, ast.Name) and node.simple:
        c.scope.declared[c.scope.mangle(node.target.id)] = ast.unparse(node.annotation)
    if not c.table.text_annotations:
        # A local's annotation is not evaluated, but its names count all the same.
        c.visit(node.annotation)
    c.optional(node.value)


HANDLERS: dict[type[ast.AST], Handler] = {
    ast.Name: name_,
    ast.Constant: constant,
    ast.FunctionDef: function_def,
    ast.AsyncFunctionDef: function_def,
    ast.Lambda: lambda_,
    ast.ClassDef: class_def,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.DictComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.NamedExpr: named_expr,
    ast.For: loop,
    ast.AsyncFor: loop,
    ast.While: loop,
    ast.Global: global_,
    ast.Nonlocal: nonlocal_,
    ast.Import: import_,
    ast.ImportFrom: import_,
    ast.ExceptHandler: except_handler,
    ast.MatchAs: capture,
    ast.MatchStar: capture,
    ast.MatchMapping: capture,
    ast.AnnAssign: ann_assign,
}
if sys.version_info >= (3, 12):
    HANDLERS[ast.TypeAlias] = type_alias
