"""What a backend is: the interface that ours and a third party's implement, and the data that crosses it.

A backend consumes the native IR of one unit and makes code from it. It registers its own passes, validates (refusing
by naming op and place), emits texts for people, and builds the files that the runtime loads. It never types a call
and
never looks at source text. Everything here is frozen data; `INTERFACE` changes when a backend written against the old
shape could misbehave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ppy_compiler.support.fingerprints import fingerprint

if TYPE_CHECKING:
    from ppy_compiler.diagnostics.code import Diagnostic
    from ppy_compiler.ir import Operation
    from ppy_compiler.support.registry import Registry

INTERFACE = 1
DEFAULT_OPT_LEVEL = 2


@dataclass(frozen=True, slots=True)
class UnitFunction:
    """One code object of the unit's module. `code_path`: indices into nested `co_consts`, as on `py.func`.
    `reason` is the remark code when the function runs as Python, empty when it is native. `versions`: the kinds of
    arguments it was compiled for, each on its own, where there are several."""

    sym: str
    qualname: str
    code_path: tuple[int, ...]
    native: bool
    reason: str = ""
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """One Python module on its way to native code.

    `module` is a `builtin.module` of native dialects. `python` is the Python it is for ("cpython-311"). `pieces` are
    the functions that were lowered now; a `func.stored` stands for one whose objects the store has.
    """

    name: str
    source_path: str
    module: Operation
    functions: tuple[UnitFunction, ...]
    python: str
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """What lowering one Python function left beside its native functions, filed under `key`: with the store's keys of
    the `objects` they were compiled to, that is enough to use them again. `constants` are (symbol, literal), `deep` the
    helpers it calls."""

    source: str
    key: str
    constants: tuple[tuple[str, Any], ...]
    deep: tuple[bool, ...]
    objects: tuple[str, ...] = ()


class MissingObject(LookupError):
    """The store has lost an object that a `func.stored` names; the unit must be lowered without stored functions."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose and code generation must follow.

    `opt_level` None means "not said" and acts as `DEFAULT_OPT_LEVEL`; the two differ in every key, as 0 does from
    both.
    `cpu` is "baseline" or "native"; `target` is a triple, empty for this machine.
    """

    opt_level: int | None = None
    unsafe: bool = False
    debug: bool = False
    cpu: str = "baseline"
    target: str = ""

    @property
    def effective_opt_level(self) -> int:
        return DEFAULT_OPT_LEVEL if self.opt_level is None else self.opt_level

    @property
    def key(self) -> str:
        """These options' part of a cache key."""
        return fingerprint(self)


class ObjectStore(Protocol):
    """Compiled pieces kept between builds by the hash of what they were compiled from. Losing one is harmless."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where a build writes: an empty folder of its own, and the store that makes an unchanged function free."""

    folder: Path
    objects: ObjectStore


@dataclass(frozen=True, slots=True)
class BuiltUnit:
    """What a build left in its workspace.

    `library` is the file that the runtime opens, None where nothing is native and the module runs from code objects.
    `format` says how, in the manifest's words: "shared" is opened by the system's own loader, any other name by the
    loader that a distribution registers for it (entry-point group `ppy.loaders`). `layout` fingerprints the interpreter
    layout the code relies on. `functions` is the unit's table as it ended: a backend may leave a function to Python.
    `objects` are the store's keys of what each Python function, by its `sym`, was compiled to; without them every
    function is lowered and handed over each time.
    """

    library: Path | None
    format: str
    functions: tuple[UnitFunction, ...]
    layout: str = ""
    objects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SupportLibrary:
    """The library that all units of a process share, opened before them; `format` as in `BuiltUnit`."""

    library: Path
    format: str


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One tool of the machine, for `ppy doctor`; `meaning` says what its absence costs."""

    name: str
    found: bool
    path: str = ""
    version: str = ""
    meaning: str = ""


class Backend:
    """Base of all backends. A factory named by an entry point of the group `ppy.backends` returns an instance."""

    name: str = ""
    interface: int = INTERFACE
    formats: tuple[str, ...] = ()
    """What `emit` can print, most readable first; `ppy emit --stage FORMAT` offers them."""

    def register_passes(self, registry: Registry[Any]) -> None:
        """Add this backend's passes; the verifier runs after each of them."""

    def validate(self, unit: Unit) -> Iterable[Diagnostic]:
        """What of `unit` this backend cannot compile, each finding naming op and place; nothing when all is well."""
        return ()

    def emit(self, unit: Unit, format: str, options: Options) -> str | bytes:
        """The unit as one of `formats`."""
        raise NotImplementedError(f"backend {self.name!r} emits nothing")

    def build(self, unit: Unit, workspace: Workspace, options: Options) -> BuiltUnit:
        """Make the unit's files in `workspace.folder`: the same bytes for the same unit and options, on any
        folder."""
        raise NotImplementedError(f"backend {self.name!r} builds nothing")

    def support(self, workspace: Workspace, options: Options) -> SupportLibrary | None:
        """The library that this backend's units need, made in `workspace.folder`; None when they need none."""
        return None

    def toolchain(self) -> tuple[ToolStatus, ...]:
        """The tools this backend uses and what each is worth here."""
        return ()

    def fingerprint(self) -> str:
        """Whatever of this backend and its libraries can change the files it builds; part of every cache key."""
        return fingerprint(self.name, self.interface)
