"""Reading the stubs: ordinary typing syntax, parsed when a module is first asked for and kept.

The files in ``stubs`` are the table of modules. Their suffix is their own because type checkers have rules that do
not fit here: overloads
stand without a decorator for them, and builtin types are redeclared. ``builtins.stub`` models the builtin names and
the methods of the builtin
types; a class with ``__init__`` overloads is callable through them.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from ppy_compiler.models.rungs import EFFECTS, RUNGS
from ppy_compiler.models.schema import Entry, ModuleModel, Parameter, Signature

STUBS = Path(__file__).parent / "stubs"
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class StubError(Exception):
    """A stub breaks the rules of its page."""


@cache
def modelled_modules() -> frozenset[str]:
    """Names of the modules that have a stub."""
    return frozenset(path.stem for path in STUBS.glob("*.stub"))


@cache
def load(module: str) -> ModuleModel | None:
    """The model of ``module``; ``None`` when there is none."""
    if module not in modelled_modules():
        return None
    return parse((STUBS / f"{module}.stub").read_text(encoding="utf-8"), module)


def lookup(name: str) -> Entry | None:
    """The entry of a qualified name such as ``math.sqrt`` or ``builtins.str.join``."""
    module, _, rest = name.partition(".")
    model = load(module)
    return model.entries.get(rest) if model is not None else None


def parse(text: str, module: str) -> ModuleModel:
    """The entries of a stub's text."""
    entries: dict[str, Entry] = {}
    overloads: dict[str, list[Signature]] = {}
    kinds: dict[str, str] = {}
    for node in ast.parse(text).body:
        match node:
            case ast.FunctionDef():
                overloads.setdefault(node.name, []).append(_signature(node, module))
                kinds[node.name] = "function"
            case ast.ClassDef():
                _read_class(node, module, overloads, kinds)
            case ast.AnnAssign(target=ast.Name(id=name)):
                entries[name] = Entry(f"{module}.{name}", "constant", (), ast.unparse(node.annotation))
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign():
                pass  # type variables
            case _:
                raise StubError(f"{module}.stub:{node.lineno}: unexpected statement")
    for name, signatures in overloads.items():
        entries[name] = Entry(f"{module}.{name}", kinds[name], tuple(signatures))
    return ModuleModel(module, entries)


def _read_class(node: ast.ClassDef, module: str, overloads: dict[str, list[Signature]], kinds: dict[str, str]) -> None:
    overloads.setdefault(node.name, [])
    kinds[node.name] = "class"
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            name = node.name if item.name == "__init__" else f"{node.name}.{item.name}"
            overloads.setdefault(name, []).append(_signature(item, module, node.name))
            kinds.setdefault(name, "method")
        elif not isinstance(item, (ast.Expr, ast.Pass)):
            raise StubError(f"{module}.stub:{item.lineno}: unexpected statement in class {node.name}")


def _signature(node: FunctionNode, module: str, owner: str = "") -> Signature:
    where = f"{module}.stub:{node.lineno}: {node.name}"
    calls = [
        d
        for d in node.decorator_list
        if isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id in RUNGS
    ]
    if len(calls) != 1:
        raise StubError(f"{where} is on {len(calls)} rungs instead of one")
    call = calls[0]
    assert isinstance(call.func, ast.Name)
    rung = call.func.id
    words = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
    if words.keys() - {"effects", "raises", "result", "borrows"} or len(call.args) != 1:
        raise StubError(f"{where}: unknown keywords")
    effects = words.get("effects", "runs" if rung == "python" else "pure")
    if set(effects.split("+")) - set(EFFECTS) or node.returns is None:
        raise StubError(f"{where}: unknown effects or no result type")
    returns = ast.unparse(node.returns)
    if owner and node.name == "__init__":
        returns = owner if returns == "None" else returns
    parameters = _parameters(node.args, owner)
    if owner and node.name == "__init__":
        parameters = parameters[1:]
    return Signature(
        parameters,
        returns,
        rung,
        ast.literal_eval(call.args[0]),
        effects,
        tuple(words.get("raises", ("Exception",) if rung == "python" else ())),
        words.get("result", ""),
        bool(words.get("borrows", False)),
    )


def _parameters(args: ast.arguments, owner: str) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    positional = [(a, "positional") for a in args.posonlyargs] + [(a, "either") for a in args.args]
    first_default = len(positional) - len(args.defaults)
    for index, (arg, kind) in enumerate(positional):
        implicit = owner if index == 0 and owner else "object"
        found.append(Parameter(arg.arg, kind, _text(arg, implicit), index >= first_default))
    if args.vararg is not None:
        found.append(Parameter(args.vararg.arg, "vararg", _text(args.vararg, "object"), True))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(Parameter(arg.arg, "keyword", _text(arg, "object"), default is not None))
    if args.kwarg is not None:
        found.append(Parameter(args.kwarg.arg, "kwarg", _text(args.kwarg, "object"), True))
    return tuple(found)


def _text(arg: ast.arg, implicit: str) -> str:
    return ast.unparse(arg.annotation) if arg.annotation is not None else implicit
