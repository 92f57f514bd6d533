"""What inference hands to lowering and to the checker.

Facts of one function hold in its fast body: under its parameters' facts, which the entry checks, and behind the
guards that lowering
emits wherever a fact is ``guarded``. In the twin nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppy_compiler.dialects.py.functions import Func
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.annotations import ANYWHERE, Scope, annotation_fact
from ppy_compiler.infer.binding import Defaults
from ppy_compiler.infer.constants import Constants
from ppy_compiler.infer.facts import NO_GLOBALS, Fact, Literal
from ppy_compiler.infer.lattice import meet
from ppy_compiler.ir import Block, Operation, Value
from ppy_compiler.plugins.interface import CallModel
from ppy_compiler.plugins.types import Value as Known
from ppy_compiler.support.fingerprints import fingerprint


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What the analysis may take for granted; part of every cache key that depends on it."""

    annotations: bool = True
    """Annotations are assumptions checked by guards; else only what is proven counts."""
    callers: bool = True
    """Parameters without annotation are typed from the calls inside the module."""
    python: tuple[int, int] = (3, 11)


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of a function or an operation (bits of ``infer.effects``)."""

    bits: int

    @property
    def raises(self) -> bool:
        return bool(self.bits & (fx.RAISES | fx.RUNS))

    @property
    def runs_code(self) -> bool:
        return bool(self.bits & fx.FOREIGN)

    @property
    def writes_globals(self) -> bool:
        return bool(self.bits & (fx.GLOBALS | fx.FOREIGN))

    @property
    def pure(self) -> bool:
        """Nothing but reads, allocation and exceptions."""
        return not self.bits & fx.IMPURE

    @property
    def object_free(self) -> bool:
        """Handles unboxed scalars only: may run without the GIL and without reference counts."""
        return not self.bits & (fx.OBJECTS | fx.FOREIGN | fx.GLOBALS | fx.WRITES)

    def __str__(self) -> str:
        return fx.describe(self.bits)


@dataclass(frozen=True, slots=True)
class CallTarget:
    """What a call certainly calls, as long as the globals in ``depends`` are what the analysis saw.

    ``kind`` is ``function`` (``name`` is the ``sym`` of a ``py.func`` of this module) or ``model`` (``name`` is a
    model entry such as
    ``builtins.len`` or ``builtins.list.append``). ``arguments`` has, for a function, one entry per parameter: the
    index of the
    operand among ``args`` that binds it, or ``None`` for its default; it is empty where ``*args`` or ``**kwargs``
    take part. ``overload``
    is the index of the model's signature that fits. A dotted name in ``depends`` is an attribute of a module.
    ``through``: what is called is the library's function of this dotted name, which a plugin says does what the model
    describes.
    ``version`` is the ``key`` of the version of the function that the call reaches.
    """

    kind: str
    name: str
    depends: frozenset[str] = NO_GLOBALS
    arguments: tuple[int | None, ...] = ()
    overload: int = 0
    through: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class PluggedOperation:
    """An operation that a plugin knows.

    ``function`` is the dotted name under which the library defines what is called, empty where it is no call.
    ``operands`` are what the plugin was told, in the order in which its lowering takes them. ``lowered``: lowering
    follows ``model.lowering``; otherwise CPython does it.
    """

    function: str
    operands: tuple[Known, ...]
    model: CallModel
    lowered: bool


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """Facts of one version of a ``py.func``. The mappings are complete for reachable operations and must not be
    changed."""

    sym: str
    func: Func
    values: Mapping[Value, Fact]
    params: tuple[Fact, ...]
    returns: Fact
    effects: Effects
    calls: Mapping[Operation, CallTarget]
    reachable: frozenset[Block]
    op_notes: Mapping[Operation, str]
    """Operations that stay general, with the remark's code."""
    op_effects: Mapping[Operation, int]
    """Effect bits of every reachable operation under these facts: an operation without ``RAISES`` needs no error
    exit."""
    narrowed: Mapping[Block, Mapping[Value, Fact]]
    """Per block what branches on the way to it add to ``values``; see :meth:`at`."""
    globals_in: Mapping[Block, Mapping[str, Fact]]
    """Globals whose content is known at a block's entry because this function stored it and nothing since could
    change it; those with
    ``depends`` hold unless someone outside the module's own code rebound them (the watcher knows)."""
    demanded: Mapping[Value, int] = field(default_factory=dict)
    """Integers of which only so many low bits matter."""
    plugged: Mapping[Operation, PluggedOperation] = field(default_factory=dict)
    """Operations that a plugin knows, with what it knows of them."""
    version: str = ""
    """The kinds of arguments it is for, ``[int,float]``, and the constants, where the function has several."""
    constants: Constants = field(default_factory=dict)
    """Parameters that are a constant, or a tuple of one length, in this version. One without any is there for the
    same kinds."""

    @property
    def key(self) -> str:
        return self.sym + self.version

    def literal(self, index: int) -> Literal | None:
        """The scalar or text that a parameter is in this version."""
        constant = self.constants.get(index)
        return constant if isinstance(constant, Literal) else None

    def at(self, value: Value, block: Block) -> Fact:
        """The fact of ``value`` inside ``block``: what its definition gives, narrowed by the branches passed since."""
        narrowed = self.narrowed.get(block)
        found = self.values[value]
        if narrowed is not None and value in narrowed:
            return meet(found, narrowed[value])
        return found


@dataclass(frozen=True, slots=True)
class Remark:
    """Why one operation (or a whole function) stays general."""

    code: str
    sym: str
    op: Operation


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """Facts of a module."""

    functions: Mapping[str, FunctionFacts]
    """What holds in every version of each function."""
    remarks: tuple[Remark, ...]
    globals: Mapping[str, Fact]
    """Module-level names bound once, with their facts under the guard that the binding is unchanged."""
    defaults: Mapping[str, Defaults]
    """Which parameters of each function have defaults, as far as its definition was seen."""
    scope: Scope = ANYWHERE
    """What names mean in the module's annotations."""
    several: Mapping[str, tuple[FunctionFacts, ...]] = field(default_factory=dict)
    """The versions of the functions that have more than one, by ``sym``."""

    def versions(self, sym: str) -> tuple[FunctionFacts, ...]:
        """All versions of a function."""
        return self.several.get(sym) or (self.functions[sym],)

    def annotation(self, text: str) -> Fact:
        """The assumption that an annotation of this module makes."""
        return annotation_fact(text, self.scope)


def summary_key(facts: FunctionFacts) -> str:
    """Fingerprint of everything a caller's compilation uses of this function: signature, facts at the boundary,
    effects."""
    func = facts.func
    return fingerprint(
        (
            facts.key,
            func.params,
            func.posonly,
            func.positional,
            func.kwonly,
            func.vararg,
            func.kwarg,
            func.flavor,
            func.native,
            tuple(map(str, func.directives)),
            tuple(map(stable_text, facts.params)),
            stable_text(facts.returns),
            facts.effects.bits,
        )
    )


def stable_text(fact: Fact) -> tuple[str, bool, str, tuple[str, ...]]:
    """Everything about a fact as data that is the same in every process."""
    return str(fact), fact.guarded, fact.name, tuple(sorted(fact.depends))
