"""Versions of a function: an analysis of its own, and later native code of its own, for each kind of arguments that
its callers pass.

A *kind* is what one look at an object tells: its built-in type, for a tuple of scalars those of its items; never a
range or a constant. Annotated parameters are of one kind, so only the others tell versions apart. A function that is
called with more kinds than ``MOST_VERSIONS`` has one version, over all its callers.

Constants make versions of a function that asks for them (``constants``). Each of these has a *base*, the version for
the kinds of the same arguments, which takes them as well: it is there for any other value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.directives import code_directives
from ppy_compiler.dialects.py.functions import Func, MakeFunction
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.annotations import annotation_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, NAMES, SCALAR, STR, TUPLE, atoms_of
from ppy_compiler.infer.constants import MOST_SPECIALIZED, Constant, Constants, constants_text, parameter
from ppy_compiler.infer.engine import FunctionAnalysis
from ppy_compiler.infer.facts import NEVER, OBJECT, Fact
from ppy_compiler.infer.lattice import join
from ppy_compiler.infer.transfer.loads import guardable
from ppy_compiler.ir import Operation

if TYPE_CHECKING:
    from ppy_compiler.infer.module import ModuleAnalysis

NO_CONSTANTS: frozenset[tuple[int, Constant]] = frozenset()
MOST_VERSIONS = 4
"""Kinds of arguments told apart at a time."""
MOST_TRIED = 4 * MOST_VERSIONS
"""And all in all, those included that no call passes once its arguments are better known."""

Kind = int | tuple[int, ...]
"""The types of a parameter, or those of the items of a tuple."""
Signature = tuple[Kind, ...]
Key = tuple[Signature, frozenset[tuple[int, Constant]]]
Site = tuple[str, Operation]
"""A call, in the version of the function that makes it."""


class Version:
    """What is known of one version of a function so far."""

    def __init__(
        self, function: FunctionState, signature: Signature, constants: Constants, base: Version | None
    ) -> None:
        self.function = function
        self.constants = constants
        self.base = base
        self.text = signature_text(signature, constants_text(constants, function.func.params))
        self.key = function.sym + self.text
        self.params = [NEVER if fact is None else fact for fact in function.declared]
        known = {index: parameter(constant, function.declared[index]) for index, constant in constants.items()}
        self.fixed = {index: fact for index, fact in known.items() if fact is not None}
        for index, fact in self.fixed.items():
            self.params[index] = fact
        self.analysis = FunctionAnalysis(function.module, function.func, self.key)
        self.returns = NEVER
        self.effects = fx.QUIET
        self.analysed = False
        self.running = False
        self.growth = 0
        self.dependents: set[str] = set()

    def take(self, given: Sequence[Fact | None]) -> bool:
        """Arguments of one more call; whether a parameter has grown."""
        grown = False
        for index, fact in enumerate(given):
            if fact is None or index in self.fixed:
                continue
            if (new := join(self.params[index], fact)) != self.params[index]:
                self.params[index] = new
                grown = True
        return grown


class FunctionState:
    """One function: what it declares, and its versions."""

    def __init__(self, module: ModuleAnalysis, func: Func) -> None:
        self.module = module
        self.func = func
        self.sym = func.sym
        annotations = dict(func.annotations) if module.assumptions.annotations else {}
        self.declared: list[Fact | None] = [module.parameter(func, name, annotations.get(name)) for name in func.params]
        returns = annotations.get("return") if func.flavor == "plain" else None
        self.promised = OBJECT if returns is None else annotation_fact(returns, module.scope)
        self.versions: dict[Key, Version] = {}
        self.sites: dict[Site, Version] = {}
        self.splits = None in self.declared and may_split(func)
        self.specializes = code_directives(func.directives).specialize and may_split(func)

    def version(self, given: Sequence[Fact | None], constants: Constants, site: Site) -> Version:
        """The version that the call at ``site`` reaches with the arguments ``given`` for undeclared parameters, and
        ``constants``."""
        kinds = {index: kind(fact) for index, fact in enumerate(given) if fact is not None}
        signature = tuple(kinds.values()) if self.splits else ()
        found = self.versions.get((signature, NO_CONSTANTS))
        if found is None and self._crowded():
            found, signature = self._join(), ()
        found = found or self._make(signature)
        told = {index for index, known in kinds.items() if isinstance(known, tuple)} if self.splits else set()
        constants = {index: constant for index, constant in constants.items() if index not in told}
        if constants:
            found = self._specialized(signature, constants, found)
        self.sites[site] = found
        return found

    def _specialized(self, signature: Signature, constants: Constants, base: Version) -> Version:
        found = self.versions.get((signature, frozenset(constants.items())))
        if found is None and len([version for version in self.versions.values() if version.base]) < MOST_SPECIALIZED:
            found = self._make(signature, constants, base)
        return found or base

    def opened(self) -> Version:
        """The version for callers outside the module, of which nothing is known."""
        made = self._make(())
        made.params = [fact if fact.types else OBJECT for fact in made.params]
        return made

    def _crowded(self) -> bool:
        reached = len({(version.base or version).key for version in self.sites.values()})
        tried = sum(version.base is None for version in self.versions.values())
        return self.splits and (reached >= MOST_VERSIONS or tried >= MOST_TRIED)

    def _make(self, signature: Signature, constants: Constants | None = None, base: Version | None = None) -> Version:
        made = Version(self, signature, constants or {}, base)
        self.versions[signature, frozenset(made.constants.items())] = made
        self.module.versions[made.key] = made
        return made

    def _join(self) -> Version:
        """From now on one version, over all callers."""
        replaced = list(self.versions.values())
        self.versions, self.splits = {}, False
        made = self._make(())
        for version in replaced:
            made.take([*version.params])
            self.module.versions.pop(version.key, None)
        self.module.versions[made.key] = made
        self.sites = dict.fromkeys(self.sites, made)
        self.module.wake({key for version in replaced for key in version.dependents})
        return made


def may_split(func: Func) -> bool:
    """Whether versions pay: not where the function runs as Python or only general code calls it, and not where it
    makes functions, which belong to one maker."""
    if func.native or func.flavor != "plain" or func.kind not in ("function", "lambda") or func.vararg or func.kwarg:
        return False
    return not any(isinstance(op, MakeFunction) for block in func.body.blocks for op in block.ops)


def kind(fact: Fact) -> Kind:
    """What tells versions apart."""
    if not guardable(fact):
        return ANY_OBJECT
    items = fact.items if fact.types == TUPLE else None
    if items and all(_one(item.types) and item.types & (SCALAR | STR) for item in items):
        return tuple(item.types for item in items)
    return fact.types


def _one(types: int) -> bool:
    return bool(types) and not types & (types - 1)


def signature_text(signature: Signature, constants: Sequence[str] = ()) -> str:
    """A signature as part of a symbol: ``[int,tuple[int,float],n=3]``; nothing for the version that has none."""
    parts = [*map(_kind_text, signature), *constants]
    return f"[{','.join(parts)}]" if parts else ""


def _kind_text(kind: Kind) -> str:
    if isinstance(kind, tuple):
        return f"tuple[{','.join(map(_kind_text, kind))}]"
    if kind == ANY_OBJECT:
        return "object"
    return "|".join(NAMES[atom] for atom in atoms_of(kind))


def reached_versions(functions: Mapping[str, FunctionState]) -> dict[str, list[Version]]:
    """Per function the versions that some call reaches, calls in versions that nothing reaches aside; all of them
    where that leaves none."""
    found: dict[str, dict[str, Version]] = {sym: {} for sym in functions}
    for function in functions.values():
        if len(function.versions) == 1:
            _reach(next(iter(function.versions.values())), functions, found)
    for function in functions.values():
        if not found[function.sym]:
            for version in function.versions.values():
                _reach(version, functions, found)
    return {sym: [versions[key] for key in sorted(versions)] for sym, versions in found.items()}


def _reach(start: Version, functions: Mapping[str, FunctionState], found: dict[str, dict[str, Version]]) -> None:
    waiting = [start]
    while waiting:
        version = waiting.pop()
        if version.key in found[version.function.sym]:
            continue
        found[version.function.sym][version.key] = version
        if version.base is not None:
            waiting.append(version.base)
        for target in version.analysis.calls.values():
            if target.kind == "function":
                waiting.append(version.function.module.versions[target.version])
