"""Scopes: which variable each name of each block of code means, as CPython's symbol table decides.

``symbols`` collects the tree of scopes and what each binds and uses; :func:`resolve` here decides which variables are
cells and which scopes carry them along. The builder then asks :meth:`Scope.lookup`.

A *host* is a scope that has a code object. Comprehensions that CPython inlines (3.12 and later, but not generator
expressions) are scopes of their own, hosted by the code around them: their variables are separate keys of the same
function.
"""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass, field


class Kind(enum.Enum):
    """How code reaches a variable."""

    LOCAL = enum.auto()
    """A local of this code object: an SSA variable."""
    CELL = enum.auto()
    """A cell that this code object makes."""
    FREE = enum.auto()
    """A cell that came with the function object."""
    GLOBAL = enum.auto()
    NAME = enum.auto()
    """In a class body: its namespace, then global, then builtin."""
    NAME_OR_FREE = enum.auto()
    """In a class body: its namespace, then a free variable."""
    CLASS_OR_GLOBAL = enum.auto()
    """In a type-parameter scope inside a class: the class's namespace, then global, then builtin."""
    CLASS_OR_FREE = enum.auto()


@dataclass(frozen=True, slots=True)
class Variable:
    """The answer to a look-up; ``key`` names the variable within its function (locals and cells)."""

    kind: Kind
    name: str
    key: str


@dataclass(eq=False, slots=True)
class Scope:
    """One block of code. ``kind``: module, function, lambda, comprehension, class, typeparams."""

    kind: str
    name: str
    node: ast.AST
    parent: Scope | None
    number: int
    inlined: bool = False
    private: str | None = None
    """The innermost class's name, for mangling."""
    sees_class: bool = False
    params: list[str] = field(default_factory=list)
    bound: dict[str, int] = field(default_factory=dict)
    """Names bound here and how often (2 within a loop)."""
    used: dict[str, None] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    has_annotations: bool = False
    declared: dict[str, str] = field(default_factory=dict)
    """Names declared by an annotation, with its source text."""
    open_loops: list[set[str]] = field(default_factory=list)
    cells: set[str] = field(default_factory=set)
    free: set[str] = field(default_factory=set)
    _cache: dict[str, Variable] = field(default_factory=dict)

    @property
    def host(self) -> Scope:
        """The scope whose code object this one's code is in."""
        scope = self
        while scope.inlined:
            assert scope.parent is not None
            scope = scope.parent
        return scope

    @property
    def is_function(self) -> bool:
        """Whether names bound here are seen from inner scopes."""
        return self.kind not in ("module", "class")

    def key(self, name: str) -> str:
        """The variable's key in the host's function; no identifier contains a dot."""
        return f"{name}.{self.number}" if self.inlined else name

    def binds(self, name: str) -> bool:
        return name in self.bound and name not in self.globals and name not in self.nonlocals

    def mangle(self, name: str) -> str:
        """``__name`` inside a class is private to it."""
        if self.private is None or not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        stripped = self.private.lstrip("_")
        return f"_{stripped}{name}" if stripped else name

    def definer(self, name: str) -> Scope | None:
        """The function-like scope whose variable ``name`` means here, if any."""
        if self.kind == "module" or name in self.globals:
            return None
        if self.binds(name) and self.is_function:
            return self
        if self.binds(name) and self.kind == "class":
            return None
        if self.sees_class and (self.seen_class.binds(name) or name in self.seen_class.globals):
            return None
        return self.enclosing_definer(name)

    @property
    def seen_class(self) -> Scope:
        """The class whose namespace a type-parameter scope sees."""
        scope = self.parent
        while scope is not None and scope.kind != "class":
            scope = scope.parent
        assert scope is not None
        return scope

    def enclosing_definer(self, name: str) -> Scope | None:
        """As :meth:`definer`, beginning outside."""
        scope = self.parent
        while scope is not None and scope.kind != "module":
            if scope.kind == "class" and name in ("__class__", "__classdict__"):
                return None if self.inlined and self.host is scope else scope
            if scope.is_function:
                if name in scope.globals:
                    return None
                if scope.binds(name):
                    return scope
            scope = scope.parent
        return None

    def cell_key(self, name: str) -> str:
        """The key, in this scope's function, of the cell by which inner functions know ``name``."""
        if name in self.cells:
            return self.key(name)
        definer = self.enclosing_definer(name)
        return definer.key(name) if definer is not None and definer.host is self.host else name

    def declaration(self, name: str) -> str | None:
        """The source text of the annotation that declares (mangled) ``name`` in a function or in the module."""
        scope = self.definer(name)
        if scope is None:
            scope = self
            while scope.parent is not None:
                scope = scope.parent
        return scope.declared.get(name)

    def lookup(self, name: str) -> Variable:
        """What the (mangled) ``name`` means in this scope."""
        variable = self._cache.get(name)
        if variable is None:
            variable = self._cache[name] = self._lookup(name)
        return variable

    def _lookup(self, name: str) -> Variable:
        definer = self.definer(name)
        if definer is not None and definer.host is self.host and (definer.kind != "class" or self.inlined):
            kind = Kind.CELL if name in definer.cells else Kind.LOCAL
            return Variable(kind, name, definer.key(name))
        if self.kind == "class" and name not in self.nonlocals and name not in self.globals:
            return Variable(Kind.NAME if definer is None else Kind.NAME_OR_FREE, name, name)
        if self.sees_class and name not in ("__classdict__", *self.globals, *self.seen_class.globals):
            return Variable(Kind.CLASS_OR_GLOBAL if definer is None else Kind.CLASS_OR_FREE, name, name)
        return Variable(Kind.GLOBAL if definer is None else Kind.FREE, name, name)


def resolve(scopes: list[Scope]) -> None:
    """Mark cells and free variables; ``scopes`` is the whole tree, parents first."""
    for scope in scopes:
        for name in {**scope.used, **scope.bound}:
            definer = scope.definer(name)
            if definer is None or definer is scope:
                continue
            _capture(scope, definer, name)


def _capture(user: Scope, definer: Scope, name: str) -> None:
    if definer.host is user.host and definer.kind != "class":
        return
    definer.cells.add(name)
    scope = user.host
    while scope is not definer.host:
        scope.free.add(name)
        assert scope.parent is not None
        scope = scope.parent.host
