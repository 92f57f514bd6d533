"""Inference over a whole module: functions in the order in which calls reach them, to a fixed point over the call
graph.

The module's body comes first; a call of a module function analyses the callee there and then, in the version for its
arguments (``versions``) and with their facts joined over all calls of that version, or takes its summary so far.
Whatever grows (parameters, results, effects, globals, closure
variables) wakes its readers.
Functions that nothing here calls follow with nothing assumed but their annotations.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import replace as renamed

from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.py.calls import Call, CallMethod
from ppy_compiler.dialects.py.functions import Func, MakeFunction
from ppy_compiler.dialects.py.names import Const, FreeCell, LoadGlobal, MakeCell, StoreGlobal
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.annotations import Scope, annotation_fact, parameter_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, DICT, STR, TUPLE
from ppy_compiler.infer.binding import Binding, Defaults, bind
from ppy_compiler.infer.bindings import MODULE_BODY, bindings_of, builtin_fact, callers_first
from ppy_compiler.infer.constants import passed_constants
from ppy_compiler.infer.demanded import demanded_bits
from ppy_compiler.infer.engine import FunctionAnalysis
from ppy_compiler.infer.facts import NEVER, OBJECT, UNBOUND, Fact, container, of_types, replace
from ppy_compiler.infer.growth import with_growth
from ppy_compiler.infer.lattice import join, word
from ppy_compiler.infer.memory import MOST_CELLS
from ppy_compiler.infer.merging import merged
from ppy_compiler.infer.naming import NO_LIBRARIES, LibraryNames
from ppy_compiler.infer.origins import definition
from ppy_compiler.infer.results import Assumptions, FunctionFacts, ModuleFacts, Remark
from ppy_compiler.infer.transfer.loads import guardable, in_word, loaded
from ppy_compiler.infer.transfer.names import assume
from ppy_compiler.infer.variables import SharedVariables
from ppy_compiler.infer.versions import FunctionState, Version, reached_versions
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.plugins.registry import NO_PLUGINS, PluginSet

DEEPEST = 150
"""How many callees are analysed inside each other before the rest waits in the queue."""
FRAMES = 12
"""Python frames that one callee inside another takes, amply."""
MOST_RESULTS = 3
"""How often the result of a function may grow before its integers are widened to the word."""
TEXT_NAMES = frozenset(("__name__", "__file__"))


@dataclass(frozen=True, slots=True)
class Reached:
    """What a call of a function of the module comes to: how its arguments bind, the version by its key, the result, the
    effects."""

    binding: Binding
    version: str
    result: Fact
    effects: int


class ModuleAnalysis:
    """The analysis of ``module``; :meth:`run` gives its facts."""

    def __init__(self, module: Module, assumptions: Assumptions, plugins: PluginSet = NO_PLUGINS) -> None:
        self.assumptions = assumptions
        self.plugins = plugins
        self.module = module
        self.funcs = [op for op in module.body.entry.ops if isinstance(op, Func)]
        self.waiting: dict[str, None] = {}
        self.depth = 0
        self.globals = SharedVariables(self.wake)
        self.cells = SharedVariables(self.wake)
        self.attributes = SharedVariables(self.wake)
        self.defaults: dict[str, Defaults] = {}
        self.default_facts: dict[str, dict[str, Fact]] = {}
        self.cell_owners: dict[tuple[str, str], tuple[str, str]] = {}
        self.bindings = bindings_of(self.funcs)
        libraries = LibraryNames(self.bindings.imported, plugins.external_types) if plugins.plugins else NO_LIBRARIES
        self.scope = Scope(self.bindings.shadowed, libraries)
        self.functions = {func.sym: FunctionState(self, func) for func in self.funcs}
        self.versions: dict[str, Version] = {}

    # ---- what the module binds

    def private_globals(self, func: Func) -> frozenset[str]:
        """Globals that only ``func`` stores, and that nobody can have stored before it ran."""
        return self.bindings.private if func.sym == MODULE_BODY else frozenset()

    def annotation(self, text: str) -> Fact:
        return annotation_fact(text, self.scope)

    def parameter(self, func: Func, name: str, annotation: str | None) -> Fact | None:
        """The declared fact of a parameter; ``None`` when its callers decide."""
        position = func.params.index(name)
        variadic = func.positional + func.kwonly
        element = self.annotation(annotation) if annotation is not None else OBJECT
        if position >= variadic:
            if func.vararg and position == variadic:
                return container(TUPLE, element)
            return container(DICT, of_types(STR), element)
        if annotation is None:
            return None if self.assumptions.callers else OBJECT
        return parameter_fact(annotation, self.scope)

    # ---- what transfer functions ask and tell

    def global_fact(self, name: str, op: LoadGlobal, env: FunctionAnalysis) -> Fact:
        """A global as ``op`` finds it: bound once by the module (under the guard that it still is), else by its
        stores, else builtin."""
        if name in self.bindings.written:
            held = self.globals.load(name, env.key)
            if not held.types or held.types & ANY_OBJECT == ANY_OBJECT:
                return held
            return replace(held, depends=frozenset((name,))) if name in self.bindings.stable else loaded(held)
        if name in TEXT_NAMES:
            return loaded(of_types(STR))
        return builtin_fact(name)

    def stored(self, op: StoreGlobal, fact: Fact) -> None:
        self.globals.store(op.var, fact, once=op.var in self.bindings.stable)

    def cell_stored(self, func: Func, name: str, fact: Fact) -> None:
        owner = self._owner(func, name)
        if owner is not None:
            self.cells.store(owner, fact, once=False)

    def cell_fact(self, func: Func, name: str, env: FunctionAnalysis) -> Fact:
        owner = self._owner(func, name)
        if owner is None:
            return OBJECT
        held = self.cells.load(owner, env.key)
        return loaded(held) if held.types else NEVER

    def attribute_fact(self, name: str, env: FunctionAnalysis) -> Fact:
        """What an attribute holds, when all that the module stores under the name is of one built-in type: a guess,
        guarded at the load, that lets what is done with it be done natively."""
        if name not in self.bindings.attributes:
            return OBJECT
        held = self.attributes.load(name, env.key)
        if not held.types:
            return held
        return loaded(held)

    def attribute_stored(self, name: str, fact: Fact) -> None:
        self.attributes.store(name, fact, once=False)

    def _owner(self, func: Func, name: str) -> tuple[str, str] | None:
        return (func.sym, name) if name in func.cellvars else self.cell_owners.get((func.sym, name))

    def made(self, op: MakeFunction, env: FunctionAnalysis) -> None:
        """A function object is made: its defaults and the cells it takes along."""
        state = self.functions[op.func]
        self.defaults[op.func], self.default_facts[op.func] = _defaults(op, state.func, env)
        for name, cell in zip(state.func.freevars, op.closure, strict=False):
            source = definition(cell)
            if isinstance(source, MakeCell):
                self.cell_owners[(op.func, name)] = (env.func.sym, source.var)
            elif isinstance(source, FreeCell):
                owner = self.cell_owners.get((env.func.sym, source.var))
                if owner is not None:
                    self.cell_owners[(op.func, name)] = owner

    def called_somehow(self, sym: str) -> None:
        """The function is called with arguments nothing is known of: the entry checks them."""

    def call(self, sym: str, facts: list[Fact], op: Call | CallMethod, env: FunctionAnalysis) -> Reached | None:
        """A call of function ``sym``; ``None`` when it certainly raises TypeError."""
        function = self.functions[sym]
        defaults = self.defaults.get(sym, Defaults(known=False))
        binding = bind(function.func, defaults, len(facts), op.kwnames)
        if binding.problem:
            return None
        given = self._given(function, binding, facts)
        constants = passed_constants(op, binding.slots, function.declared, env) if function.specializes else {}
        version = function.version(given, constants, (env.key, op))
        for taking in (version,) if version.base is None else (version.base, version):
            grown = taking.take(given)
            if (grown or not taking.analysed) and taking.key != env.key:
                self._visit(taking)
            elif grown:
                self.waiting[taking.key] = None
        if self.versions.get(version.key) is not version:
            return self.call(sym, facts, op, env)  # what was analysed here led to more kinds of arguments
        version.dependents.add(env.key)
        if function.func.flavor != "plain":
            return Reached(binding, version.key, OBJECT, fx.ALLOCATES | fx.OBJECTS)
        effects = fx.ANYTHING if function.func.native else version.effects & ~fx.RAISES
        return Reached(binding, version.key, self._result(version), effects)

    def _result(self, version: Version) -> Fact:
        found = version.returns
        if not found.types or found.types & ANY_OBJECT == ANY_OBJECT:
            return found
        if version.function.func.native and not guardable(found):
            return OBJECT
        found = in_word(found)
        return found if found.guarded else replace(found, guarded=True)

    def _given(self, function: FunctionState, binding: Binding, facts: list[Fact]) -> list[Fact | None]:
        """What a call passes for each undeclared parameter, as the entry checks it; ``None`` for the others."""
        known = self.default_facts.get(function.sym, {})
        given: list[Fact | None] = [None] * len(function.declared)
        for index, slot in enumerate(binding.slots):
            if function.declared[index] is None:
                fact = facts[slot] if slot is not None else known.get(function.func.params[index], OBJECT)
                given[index] = word(fact.plain())
        return given

    def parameter_grown(self, key: str, index: int, element: Fact, value: Fact) -> None:
        """The version puts something into the container that an undeclared parameter brings."""
        version = self.versions.get(key)
        if version is None or index in version.fixed:
            return
        declared = version.function.declared
        if index < len(declared) and declared[index] is None:
            new = with_growth(version.params[index], (word(element.plain()), word(value.plain())))
            if new != version.params[index]:
                version.params[index] = new
                self.waiting[key] = None

    def grow_arguments(self, reached: Reached, values: list[Value], env: FunctionAnalysis) -> None:
        """What a callee puts into its undeclared parameters, the caller's containers hold."""
        version = self.versions[reached.version]
        for slot, declared, fact in zip(reached.binding.slots, version.function.declared, version.params, strict=False):
            if slot is not None and declared is None and fact.element is not None:
                env.grow(values[slot], fact.element, fact.value or NEVER)

    # ---- the fixed point

    def wake(self, keys: set[str]) -> None:
        for key in sorted(keys):
            version = self.versions.get(key)
            if version is not None and (version.analysed or version.running):
                self.waiting[key] = None

    def _visit(self, version: Version) -> None:
        if version.running or self.depth >= DEEPEST:
            self.waiting[version.key] = None
            return
        self.depth += 1
        self._analyse(version)
        self.depth -= 1

    def _analyse(self, version: Version) -> None:
        version.running = True
        self.waiting.pop(version.key, None)
        known = version.key == MODULE_BODY and len(self.bindings.written) <= MOST_CELLS
        start = dict.fromkeys(self.bindings.written, UNBOUND) if known else {}
        params = tuple(_settled_parameter(fact) for fact in version.params)
        if all(fact.types for fact in params):
            version.analysis.run(params, start)
            version.analysed = True
            self._summarise(version)
        version.running = False

    def _summarise(self, version: Version) -> None:
        promised = version.function.promised
        returns = version.analysis.returns()
        new = join(version.returns, assume(returns, promised) if promised is not OBJECT else returns)
        effects = version.effects | version.analysis.effects()
        if new == version.returns and effects == version.effects:
            return
        version.growth += 1
        version.returns = word(new) if version.growth > MOST_RESULTS else new
        version.effects = effects
        self.wake(version.dependents)

    def _drain(self) -> None:
        while self.waiting:
            key = next(iter(self.waiting))
            del self.waiting[key]
            version = self.versions.get(key)
            if version is not None:
                self._visit(version)

    def _fixed_point(self) -> None:
        if MODULE_BODY in self.functions:
            self._visit(self.functions[MODULE_BODY].opened())
        self._drain()
        order = [self.functions[func.sym] for func in callers_first(self.funcs)]
        for function in order:
            self._open(function)
        for variables in (self.globals, self.cells, self.attributes):
            variables.finish()
        self._drain()
        for function in order:
            self._open(function)
            for version in list(function.versions.values()):
                if not version.returns.types and version.dependents:
                    # Never returns as far as is known; what follows its calls is analysed all the same.
                    version.returns = OBJECT
                    self.wake(version.dependents)
                    self._drain()

    def _open(self, function: FunctionState) -> None:
        """Analyse a function that no call has reached, for callers outside the module."""
        for version in list(function.versions.values()) or [function.opened()]:
            if not version.analysed and version.key in self.versions:
                version.params = [fact if fact.types else OBJECT for fact in version.params]
                self._visit(version)
                self._drain()

    def run(self) -> ModuleFacts:
        """Everything that can be said about the module."""
        limit, collects = sys.getrecursionlimit(), gc.isenabled()
        sys.setrecursionlimit(limit + DEEPEST * FRAMES)
        gc.disable()  # facts make no cycles worth looking for while they are computed
        try:
            self._fixed_point()
        finally:
            sys.setrecursionlimit(limit)
            if collects:
                gc.enable()
        reached = reached_versions(self.functions)
        names = {name: self.globals.get(name) for name in sorted(self.bindings.stable) if self.globals.get(name).types}
        found = {
            sym: tuple(
                self._finished(version, version.text if len(versions) > 1 else "", reached) for version in versions
            )
            for sym, versions in reached.items()
        }
        functions = {sym: merged(versions) for sym, versions in found.items()}
        several = {sym: versions for sym, versions in found.items() if len(versions) > 1}
        remarks = tuple(self._remarks(facts for versions in found.values() for facts in versions))
        return ModuleFacts(functions, remarks, names, self.defaults, self.scope, several)

    def _finished(self, version: Version, text: str, reached: Mapping[str, list[Version]]) -> FunctionFacts:
        params = tuple(_settled_parameter(fact) for fact in version.params)
        returns = version.returns if version.returns.types else OBJECT
        facts = version.analysis.result(params, returns, version.effects, demanded_bits(version.analysis))
        single = {
            op for op, target in facts.calls.items() if target.kind == "function" and len(reached[target.name]) == 1
        }
        calls = {
            op: renamed(target, version=target.name) if op in single else target for op, target in facts.calls.items()
        }
        return renamed(facts, version=text, calls=calls, constants=version.constants)

    def _remarks(self, functions: Iterable[FunctionFacts]) -> Iterator[Remark]:
        for facts in functions:
            if facts.func.native:
                yield Remark(facts.func.native, facts.sym, facts.func)
            for op, code in facts.op_notes.items():
                yield Remark(code, facts.sym, op)


def _settled_parameter(fact: Fact) -> Fact:
    """A parameter as the entry checks it."""
    if not fact.types or fact.types & ANY_OBJECT == ANY_OBJECT or not guardable(fact):
        return fact if fact.types & ~ANY_OBJECT == 0 and not fact.types else OBJECT
    return fact if fact.guarded else replace(fact, guarded=True)


def _defaults(op: MakeFunction, func: Func, env: FunctionAnalysis) -> tuple[Defaults, dict[str, Fact]]:
    facts: dict[str, Fact] = {}
    count = 0
    if op.defaults is not None:
        held = env.fact(op.defaults)
        if held.items is None:
            return Defaults(known=False), {}
        count = len(held.items)
        facts.update(zip(func.params[func.positional - count : func.positional], held.items, strict=True))
    keywords: frozenset[str] = frozenset()
    if op.kwdefaults is not None:
        source = definition(op.kwdefaults)
        if source is None or source.name != "py.build_dict":
            return Defaults(known=False), {}
        names = [
            key.op.literal for key in source.operands[::2] if isinstance(key, OpResult) and isinstance(key.op, Const)
        ]
        keywords = frozenset(names)
        facts.update(dict.fromkeys(names, OBJECT))
    return Defaults(count, keywords), facts
