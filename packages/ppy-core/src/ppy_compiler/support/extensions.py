"""Finding what other distributions bring, through entry points and without importing any of it.

An extension is one entry point of a group ("ppy.plugins", "ppy.backends"). Its distribution may state, in metadata
alone, which interface it was written against and which versions of the library it knows::

    [project.entry-points."ppy.plugins"]
    foo = "foo.ppy_plugin:create_plugin"
    [project.entry-points."ppy.plugins.interface"]
    foo = "v2"
    [project.optional-dependencies]
    library = ["foolib>=1.2,<3"]

`Extension.refusal` compares both. Importing is left to `Extension.load`, which the registries call for what a project
uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

LIBRARY_EXTRA = "library"


class EntryPointLike(Protocol):
    """What is read of an entry point."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def dist(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class LibraryBound:
    """A library that an extension models: the versions it knows, and the version that is here (None: absent)."""

    name: str
    bound: str
    installed: str | None

    @property
    def problem(self) -> str:
        """Why the extension cannot serve this library here, or an empty string."""
        from ppy_compiler.support.versions import fits

        if self.installed is None:
            return f"{self.name} is not installed"
        if not fits(self.installed, self.bound):
            return f"{self.name} {self.installed} is installed, it knows {self.bound}"
        return ""


@dataclass(frozen=True, slots=True)
class Extension:
    """One entry point and what its distribution's metadata says of it."""

    group: str
    name: str
    target: str
    distribution: str
    version: str
    interface: int | None = None
    libraries: tuple[LibraryBound, ...] = ()

    def interface_problem(self, spoken: int) -> str:
        """Why the stated interface does not fit, or an empty string; an unstated one is checked after loading."""
        if self.interface is None or self.interface == spoken:
            return ""
        return f"it implements interface {self.interface}, this PPY speaks {spoken}"

    @property
    def library_problem(self) -> str:
        return next((library.problem for library in self.libraries if library.problem), "")

    def refusal(self, spoken: int) -> str:
        """Why the extension cannot be used here, or an empty string; nothing is imported to find out."""
        return self.interface_problem(spoken) or self.library_problem

    def load(self) -> Any:
        """Import the extension's module and return what the entry point names."""
        import importlib
        from functools import reduce

        module, _, attributes = self.target.partition(":")
        return reduce(getattr, filter(None, attributes.split(".")), importlib.import_module(module))


def discover(group: str) -> tuple[Extension, ...]:
    """Every extension of `group`, by name. Reads metadata of installed distributions and imports none of them."""
    from importlib.metadata import entry_points

    points = entry_points()
    return extensions_of(points.select(group=group), points.select(group=f"{group}.interface"))


def extensions_of(points: Iterable[EntryPointLike], interfaces: Iterable[EntryPointLike]) -> tuple[Extension, ...]:
    """The extensions that entry points describe; `interfaces` are those of the group's `.interface` companion."""
    stated = {(metadata_of(point.dist).name, point.name): _interface(point.value) for point in interfaces}
    found = []
    for point in points:
        described = metadata_of(point.dist)
        extension = Extension(
            group=point.group,
            name=point.name,
            target=point.value.partition("[")[0].strip(),
            distribution=described.name,
            version=described.version,
            interface=stated.get((described.name, point.name)),
            libraries=_libraries(described.requires),
        )
        found.append(extension)
    return tuple(sorted(found, key=lambda extension: (extension.name, extension.distribution)))


class Metadata(NamedTuple):
    """What discovery reads of a distribution's core metadata."""

    name: str = ""
    version: str = ""
    requires: tuple[str, ...] = ()


def metadata_of(dist: Any) -> Metadata:
    """The head of METADATA, as plain lines: `importlib.metadata` would import the whole of `email` for it, a thirtieth
    of a second at each cold start."""
    text = "" if dist is None else dist.read_text("METADATA") or dist.read_text("PKG-INFO") or ""
    fields: dict[str, list[str]] = {}
    for line in text.partition("\n\n")[0].splitlines():
        name, colon, value = line.partition(": ")
        if colon and not line[0].isspace():
            fields.setdefault(name.lower(), []).append(value.strip())
    name, version = (fields.get(field, [""])[0] for field in ("name", "version"))
    return Metadata(name, version, tuple(fields.get("requires-dist", ())))


def _interface(value: str) -> int:
    # "v2": entry points must be object references, so a bare number would not be valid metadata.
    match = re.fullmatch(r"v(\d+)", value.strip())
    return int(match[1]) if match else -1


def _libraries(requires: tuple[str, ...]) -> tuple[LibraryBound, ...]:
    from ppy_compiler.support.versions import parse_requirement

    requirements = (parse_requirement(line) for line in requires if LIBRARY_EXTRA in line)
    return tuple(
        LibraryBound(requirement.name, requirement.bound, installed_version(requirement.name))
        for requirement in requirements
        if requirement is not None and requirement.extra == LIBRARY_EXTRA
    )


def installed_version(distribution: str) -> str | None:
    """The version of an installed distribution, or None."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
