"""What a plugin is: the interface, version 2, and the data that crosses it.

A plugin models one library: the types and effects of its calls, operators and attributes, the dialects and passes it
needs, and how an operation lowers, as a typed spec. It never emits code for a machine and never sees inference's own
objects (`types` says in which words the two speak). Every hook has a default that knows nothing, so a plugin
implements what it knows and the compiler calls the rest without probing. What a hook answers is believed as a guarded
assumption: a value of another type runs general code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ppy_compiler.plugins.specs import LoweringSpec
from ppy_compiler.plugins.types import ExternalType, Type, Value, values_of
from ppy_compiler.support.fingerprints import code_fingerprint, fingerprint

if TYPE_CHECKING:
    from ppy_compiler.ir.rewrite import Pattern, Patterns
    from ppy_compiler.support.registry import Registry

INTERFACE = 2


@dataclass(frozen=True, slots=True)
class Effects:
    """What an operation may do beyond computing its result. The default is the safe one: anything."""

    raises: bool = True
    runs_code: bool = True
    writes: bool = True

    @property
    def pure(self) -> bool:
        return not (self.raises or self.runs_code or self.writes)


ANY_EFFECT = Effects()
PURE = Effects(raises=False, runs_code=False, writes=False)


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of something the plugin claims: the dotted name as the library spells it, and what is known of the
    arguments. Of a method the receiver is the first ("foolib.Vector.norm")."""

    function: str
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, function: str, *arguments: Type | Value, **keywords: Type | Value) -> CallSite:
        """A call with arguments of which the types are known."""
        given = values_of(keywords.values(), len(arguments))
        return cls(function, values_of(arguments), tuple(zip(keywords, given, strict=True)))

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the arguments that stand without a keyword, as annotations."""
        return tuple(value.type for value in self.arguments)


@dataclass(frozen=True, slots=True)
class OperationSite:
    """An operator (`kind` is "+", "<", … as in the source; one operand makes it unary) or a subscript ("[]" loads,
    "[]=" stores its third operand) with at least one operand of an external type that the plugin knows."""

    kind: str
    operands: tuple[Value, ...]
    inplace: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(value.type for value in self.operands)


@dataclass(frozen=True, slots=True)
class CallModel:
    """What a plugin knows of a call, an operator or a subscript.

    `effects` are those of the operation as `lowering` does it; one that CPython does may do anything. `defined_as` is
    the dotted name under which the library's text defines the function, where that is another than the site's.
    """

    returns: Type = "object"
    effects: Effects = ANY_EFFECT
    lowering: LoweringSpec | None = None
    defined_as: str = ""


@dataclass(frozen=True, slots=True)
class AttributeModel:
    """What a plugin knows of an attribute: its type ("module" for a submodule), and how reading it lowers."""

    type: Type = "object"
    effects: Effects = ANY_EFFECT
    lowering: LoweringSpec | None = None


@dataclass(frozen=True, slots=True)
class DecoratorModel:
    """What a plugin knows of a decorator. `returns_function`: what it gives back is the very function it was given."""

    returns_function: bool = False


class Plugin:
    """Base of all plugins. A factory named by an entry point of the group `ppy.plugins` returns an instance."""

    name: str = ""
    interface: int = INTERFACE
    modules: tuple[str, ...] = ()
    """The top-level modules that this plugin models; no two plugins may claim one."""

    def fingerprint(self) -> str:
        """The version of the model and of the library build it found; part of the key of everything made of a module
        that imports the library. The default covers the plugin's own files; PPY adds the versions of its distribution
        and of the libraries that its metadata bounds."""
        return fingerprint(self.name, self.interface, code_fingerprint(type(self).__module__))

    # Names

    def external_types(self) -> Mapping[str, ExternalType]:
        """The library's classes that annotations may name, by dotted name, and the type that each means."""
        return {}

    def call_alias(self, name: str) -> str | None:
        """The name under which the plugin models the library's function `name`: its own, or that of the function it is
        another name of. None for what the library may not have, or makes only when asked: such an attribute is
        CPython's."""
        return name

    def attribute_type(self, name: str) -> AttributeModel | None:
        """The model of a module-level attribute that is a value ("foolib.LIMIT"), or None."""
        return None

    # Operations

    def adjust_call(self, site: CallSite) -> CallSite:
        """The call as the other hooks want to see it: keywords in their places, defaults filled in. The values keep
        their positions."""
        return site

    def call(self, site: CallSite) -> CallModel | None:
        """The model of a call, or None for a call this plugin does not know."""
        return None

    def operator(self, site: OperationSite) -> CallModel | None:
        """The model of an operator, or None."""
        return None

    def subscript(self, site: OperationSite) -> CallModel | None:
        """The model of a subscript, loaded from or stored into, or None."""
        return None

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        """The model of attribute `name` of an instance, or None."""
        return None

    def decorator_semantics(self, name: str) -> DecoratorModel | None:
        """The model of the library's decorator `name`, or None."""
        return None

    # The IR

    def register_dialects(self, registry: Registry[Any]) -> None:
        """Add dialects: a name and the module whose `OPS` holds its operations."""

    def register_passes(self, registry: Registry[Any]) -> None:
        """Add passes over Python IR of modules that import the library; they run after the structural passes, the
        verifier after each of them."""

    def register_patterns(self, registry: Registry[Patterns]) -> None:
        """Add sets of patterns over native IR, under a name each; they run, all together until none matches, before
        what this plugin's dialects become."""

    def register_lowerings(self, registry: Registry[Pattern]) -> None:
        """Add what the operations of the plugin's dialects become, by the operation's name: a pattern that replaces
        it by operations of native dialects, or of dialects that have a lowering themselves."""
