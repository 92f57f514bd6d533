"""What a plugin is: the interface, version 2, and the data that crosses it.

A plugin models one library: the types and effects of its calls and attributes, the dialects and passes it needs, and
how a call lowers, as a typed spec. It never emits code and never sees inference's own objects: a type is text, an
annotation as a programmer would write it ("float", "tuple[int, str]"), and an unknown type is "object". Every hook has
a default that knows nothing, so a plugin implements what it knows and the compiler calls the rest without probing.
What a hook answers is believed as a guarded assumption: a value of another type runs general code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ppy_compiler.plugins.specs import LoweringSpec
from ppy_compiler.support.fingerprints import fingerprint

if TYPE_CHECKING:
    from ppy_compiler.support.registry import Registry

INTERFACE = 2


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call may do beyond computing its result. The default is the safe one: anything."""

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
    """A call of something the plugin claims: the dotted name as the library spells it, the argument types as text."""

    function: str
    arguments: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CallModel:
    """What a plugin knows of a call."""

    returns: str = "object"
    effects: Effects = ANY_EFFECT
    lowering: LoweringSpec | None = None


@dataclass(frozen=True, slots=True)
class AttributeModel:
    """What a plugin knows of an attribute: its type, and whether it can ever be rebound."""

    type: str = "object"
    constant: bool = False


class Plugin:
    """Base of all plugins. A factory named by an entry point of the group `ppy.plugins` returns an instance."""

    name: str = ""
    interface: int = INTERFACE
    modules: tuple[str, ...] = ()
    """The top-level modules that this plugin models; no two plugins may claim one."""

    def fingerprint(self) -> str:
        """The version of the model and of the library build it found; part of the key of every module that imports
        the library."""
        return fingerprint(self.name, self.interface)

    def call(self, site: CallSite) -> CallModel | None:
        """The model of a call, or None for a call this plugin does not know."""
        return None

    def attribute_type(self, name: str) -> AttributeModel | None:
        """The model of a module-level attribute ("foolib.LIMIT"), or None."""
        return None

    def instance_attribute(self, type: str, name: str) -> AttributeModel | None:
        """The model of attribute `name` of an instance of the library's class `type`, or None."""
        return None

    def register_dialects(self, registry: Registry[Any]) -> None:
        """Add dialects: a name and the module whose `OPS` holds its operations."""

    def register_passes(self, registry: Registry[Any]) -> None:
        """Add passes over Python IR; they run after the structural passes, the verifier after each of them."""
