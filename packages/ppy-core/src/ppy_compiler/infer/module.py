"""Inference over a whole module: functions in the order in which calls reach them, to a fixed point over the call
graph.

The module's body comes first; a call of a module function analyses the callee there and then with the facts of its
arguments (joined
over all calls), or takes its summary so far. Whatever grows (parameters, results, effects, globals, closure
variables) wakes its readers.
Functions that nothing here calls follow with nothing assumed but their annotations.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

from ppy_compiler.dialects.builtin import Module
from ppy_compiler.dialects.py.functions import Func, MakeFunction
from ppy_compiler.dialects.py.names import Const, FreeCell, LoadGlobal, MakeCell, StoreGlobal
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.annotations import Scope, annotation_fact, parameter_fact
from ppy_compiler.infer.atoms import ANY_OBJECT, DICT, STR, TUPLE
from ppy_compiler.infer.binding import Binding, Defaults, bind
from ppy_compiler.infer.bindings import MODULE_BODY, bindings_of, builtin_fact, callers_first
from ppy_compiler.infer.demanded import demanded_bits
from ppy_compiler.infer.engine import FunctionAnalysis
from ppy_compiler.infer.facts import NEVER, OBJECT, UNBOUND, Fact, container, of_types, replace
from ppy_compiler.infer.growth import with_growth
from ppy_compiler.infer.lattice import join, word
from ppy_compiler.infer.memory import MOST_CELLS
from ppy_compiler.infer.naming import NO_LIBRARIES, LibraryNames
from ppy_compiler.infer.origins import definition
from ppy_compiler.infer.results import Assumptions, FunctionFacts, ModuleFacts, Remark
from ppy_compiler.infer.transfer.loads import guardable, in_word, loaded
from ppy_compiler.infer.transfer.names import assume
from ppy_compiler.infer.variables import SharedVariables
from ppy_compiler.ir import OpResult, Value
from ppy_compiler.plugins.registry import NO_PLUGINS, PluginSet

DEEPEST = 150
"""How many callees are analysed inside each other before the rest waits in the queue."""
FRAMES = 12
"""Python frames that one callee inside another takes, amply."""
MOST_RESULTS = 3
"""How often the result of a function may grow before its integers are widened to the word."""
TEXT_NAMES = frozenset(("__name__", "__file__"))


class FunctionState:
    """What is known of one function so far."""

    def __init__(self, module: ModuleAnalysis, func: Func) -> None:
        self.func = func
        self.sym = func.sym
        self.analysis = FunctionAnalysis(module, func)
        annotations = dict(func.annotations) if module.assumptions.annotations else {}
        self.declared: list[Fact | None] = [module.parameter(func, name, annotations.get(name)) for name in func.params]
        self.params = [NEVER if fact is None else fact for fact in self.declared]
        returns = annotations.get("return") if func.flavor == "plain" else None
        self.promised = OBJECT if returns is None else annotation_fact(returns, module.scope)
        self.returns = NEVER
        self.effects = fx.QUIET
        self.analysed = False
        self.running = False
        self.growth = 0
        self.dependents: set[str] = set()


class ModuleAnalysis:
    """The analysis of ``module``; :meth:`run` gives its facts."""

    def __init__(self, module: Module, assumptions: Assumptions, plugins: PluginSet = NO_PLUGINS) -> None:
        self.assumptions = assumptions
        self.plugins = plugins
        self.module = module
        self.funcs = [op for op in module.body.entry.ops if isinstance(op, Func)]
        self.waiting: dict[str, None] = {}
        self.depth = 0
        self.globals = SharedVariables(self._wake)
        self.cells = SharedVariables(self._wake)
        self.attributes = SharedVariables(self._wake)
        self.defaults: dict[str, Defaults] = {}
        self.default_facts: dict[str, dict[str, Fact]] = {}
        self.cell_owners: dict[tuple[str, str], tuple[str, str]] = {}
        self.bindings = bindings_of(self.funcs)
        libraries = LibraryNames(self.bindings.imported, plugins.external_types) if plugins.plugins else NO_LIBRARIES
        self.scope = Scope(self.bindings.shadowed, libraries)
        self.functions = {func.sym: FunctionState(self, func) for func in self.funcs}

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
            held = self.globals.load(name, env.func.sym)
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
        held = self.cells.load(owner, func.sym)
        return loaded(held) if held.types else NEVER

    def attribute_fact(self, name: str, env: FunctionAnalysis) -> Fact:
        """What an attribute holds, when all that the module stores under the name is of one built-in type: a guess,
        guarded at the load, that lets what is done with it be done natively."""
        if name not in self.bindings.attributes:
            return OBJECT
        held = self.attributes.load(name, env.func.sym)
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

    def call(
        self, sym: str, facts: list[Fact], kwnames: tuple[str, ...], env: FunctionAnalysis
    ) -> tuple[Binding, Fact, int] | None:
        """A call of function ``sym``: how its arguments bind, the result, the effects; ``None`` when it certainly
        raises TypeError."""
        state = self.functions[sym]
        binding = bind(state.func, self.defaults.get(sym, Defaults(known=False)), len(facts), kwnames)
        if binding.problem:
            return None
        grown = self._take_arguments(state, binding, facts)
        if (grown or not state.analysed) and state is not self.functions.get(env.func.sym):
            self._visit(state)
        elif grown:
            self.waiting[sym] = None
        state.dependents.add(env.func.sym)
        if state.func.flavor != "plain":
            return binding, OBJECT, fx.ALLOCATES | fx.OBJECTS
        effects = fx.ANYTHING if state.func.native else state.effects & ~fx.RAISES
        return binding, self._result(state), effects

    def _result(self, state: FunctionState) -> Fact:
        found = state.returns
        if not found.types or found.types & ANY_OBJECT == ANY_OBJECT:
            return found
        if state.func.native and not guardable(found):
            return OBJECT
        found = in_word(found)
        return found if found.guarded else replace(found, guarded=True)

    def _take_arguments(self, state: FunctionState, binding: Binding, facts: list[Fact]) -> bool:
        grown = False
        known = self.default_facts.get(state.sym, {})
        for index, slot in enumerate(binding.slots):
            if state.declared[index] is not None:
                continue
            fact = facts[slot] if slot is not None else known.get(state.func.params[index], OBJECT)
            new = join(state.params[index], word(fact.plain()))
            if new != state.params[index]:
                state.params[index] = new
                grown = True
        return grown

    def parameter_grown(self, sym: str, index: int, element: Fact, value: Fact) -> None:
        """The function puts something into the container that an undeclared parameter brings."""
        state = self.functions[sym]
        if index < len(state.declared) and state.declared[index] is None:
            new = with_growth(state.params[index], (word(element.plain()), word(value.plain())))
            if new != state.params[index]:
                state.params[index] = new
                self.waiting[sym] = None

    def grow_arguments(self, sym: str, binding: Binding, values: list[Value], env: FunctionAnalysis) -> None:
        """What a callee puts into its undeclared parameters, the caller's containers hold."""
        state = self.functions[sym]
        for slot, declared, fact in zip(binding.slots, state.declared, state.params, strict=False):
            if slot is not None and declared is None and fact.element is not None:
                env.grow(values[slot], fact.element, fact.value or NEVER)

    # ---- the fixed point

    def _wake(self, syms: set[str]) -> None:
        for sym in sorted(syms):
            if self.functions[sym].analysed or self.functions[sym].running:
                self.waiting[sym] = None

    def _visit(self, state: FunctionState) -> None:
        if state.running or self.depth >= DEEPEST:
            self.waiting[state.sym] = None
            return
        self.depth += 1
        self._analyse(state)
        self.depth -= 1

    def _analyse(self, state: FunctionState) -> None:
        state.running = True
        self.waiting.pop(state.sym, None)
        known = state.sym == MODULE_BODY and len(self.bindings.written) <= MOST_CELLS
        start = dict.fromkeys(self.bindings.written, UNBOUND) if known else {}
        params = tuple(_settled_parameter(fact) for fact in state.params)
        if all(fact.types for fact in params):
            state.analysis.run(params, start)
            state.analysed = True
            self._summarise(state)
        state.running = False

    def _summarise(self, state: FunctionState) -> None:
        returns = (
            assume(state.analysis.returns(), state.promised)
            if state.promised is not OBJECT
            else state.analysis.returns()
        )
        new = join(state.returns, returns)
        effects = state.effects | state.analysis.effects()
        if new == state.returns and effects == state.effects:
            return
        state.growth += 1
        state.returns = word(new) if state.growth > MOST_RESULTS else new
        state.effects = effects
        self._wake(state.dependents)

    def _drain(self) -> None:
        while self.waiting:
            sym = next(iter(self.waiting))
            del self.waiting[sym]
            self._visit(self.functions[sym])

    def _fixed_point(self) -> None:
        if MODULE_BODY in self.functions:
            self._visit(self.functions[MODULE_BODY])
        self._drain()
        order = [self.functions[func.sym] for func in callers_first(self.funcs)]
        for state in order:
            self._open(state)
        for variables in (self.globals, self.cells, self.attributes):
            variables.finish()
        self._drain()
        for state in order:
            self._open(state)
            if not state.returns.types and state.dependents:
                # Never returns as far as is known; what follows its calls is analysed all the same.
                state.returns = OBJECT
                self._wake(state.dependents)
                self._drain()

    def _open(self, state: FunctionState) -> None:
        """Analyse a function that no call has reached, for callers outside the module."""
        if not state.analysed:
            state.params = [fact if fact.types else OBJECT for fact in state.params]
            self._visit(state)
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
        functions = {state.sym: self._finished(state) for state in self.functions.values()}
        names = {name: self.globals.get(name) for name in sorted(self.bindings.stable) if self.globals.get(name).types}
        return ModuleFacts(functions, tuple(self._remarks(functions)), names, self.defaults, self.scope)

    def _finished(self, state: FunctionState) -> FunctionFacts:
        params = tuple(_settled_parameter(fact) for fact in state.params)
        returns = state.returns if state.returns.types else OBJECT
        return state.analysis.result(params, returns, state.effects, demanded_bits(state.analysis))

    def _remarks(self, functions: dict[str, FunctionFacts]) -> Iterator[Remark]:
        for facts in functions.values():
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
