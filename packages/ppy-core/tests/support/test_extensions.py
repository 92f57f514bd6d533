from __future__ import annotations

import sys
from dataclasses import dataclass, field
from importlib.metadata import distributions

from ppy_compiler.support.extensions import Extension, LibraryBound, discover, extensions_of, metadata_of


@dataclass
class Distribution:
    name: str
    version: str = "1.0"
    requires: list[str] = field(default_factory=list)

    def read_text(self, name: str) -> str | None:
        lines = ["Metadata-Version: 2.4", f"Name: {self.name}", f"Version: {self.version}"]
        lines += [f"Requires-Dist: {line}" for line in self.requires]
        return "\n".join([*lines, "", "Name: of the description"]) if name == "METADATA" else None


@dataclass
class Point:
    name: str
    value: str
    group: str
    dist: Distribution | None


def test_metadata_alone_describes_an_extension() -> None:
    dist = Distribution("foo-plugin", "0.3", ["ppy-core", 'pytest>=1; extra == "library"'])
    points = [Point("foo", "no.such.module:create", "ppy.plugins", dist)]
    stated = [Point("foo", "v2", "ppy.plugins.interface", dist)]
    (extension,) = extensions_of(points, stated)
    assert (extension.name, extension.target, extension.interface) == ("foo", "no.such.module:create", 2)
    assert [library.name for library in extension.libraries] == ["pytest"]
    assert extension.refusal(2) == ""
    assert extension.refusal(3) == "it implements interface 2, this PPY speaks 3"


def test_an_unstated_interface_is_left_to_loading() -> None:
    (extension,) = extensions_of([Point("foo", "m:f", "ppy.plugins", Distribution("d"))], [])
    assert extension.interface is None
    assert extension.refusal(7) == ""


def test_libraries_absent_and_outside_the_bound() -> None:
    assert LibraryBound("foolib", ">=1", None).problem == "foolib is not installed"
    assert LibraryBound("foolib", ">=1,<2", "2.1").problem == "foolib 2.1 is installed, it knows >=1,<2"
    assert LibraryBound("foolib", "", "2.1").problem == ""


def test_load_follows_the_entry_point() -> None:
    extension = Extension("g", "n", "ppy_compiler.support.spans:Span.of", "d", "1")
    assert extension.load().__name__ == "of"


def test_metadata_is_what_the_library_for_it_reads() -> None:
    for dist in distributions():
        found = metadata_of(dist)
        assert (found.name, found.version, list(found.requires)) == (dist.name, dist.version, dist.requires or [])


def test_discovery_imports_no_extension() -> None:
    before = set(sys.modules)
    discover("ppy.backends")
    assert not {name for name in set(sys.modules) - before if name.startswith("ppy_backends")}
