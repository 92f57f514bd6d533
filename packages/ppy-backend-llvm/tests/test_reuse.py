"""Functions whose objects are in the store: used again where lowering would have made the same, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from ppy_backends.llvm.backend import create_backend
from ppy_backends.llvm.modules import unit_modules
from ppy_compiler.backends import MissingObject, Options, Unit, Workspace
from ppy_compiler.backends.testing import MemoryStore
from ppy_compiler.driver import stages
from ppy_compiler.infer.results import FunctionFacts
from ppy_compiler.lower.pieces import PieceStore
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.source import Source

pytestmark = pytest.mark.llvm

PROGRAM = """
import math

LIMIT = 100


def square(n: int) -> int:
    return n * n


def total(n: int) -> int:
    found = 0
    for i in range(n):
        found += square(i) % 7
    return found


def norm(values: list[float]) -> float:
    try:
        return math.sqrt(sum(values)) + LIMIT
    finally:
        print("norm", len(values))


def adder(k):
    return lambda n: n + k


print(total(LIMIT), norm([0.25, 1.75]), adder(2)(3))
"""
EDITS = {
    "nothing": ("", "", 0),
    "a blank line": ("LIMIT = 100\n", "LIMIT = 100\n\n\n", 0),
    "a comment inside": ("    found = 0\n", "    # count\n    found = 0\n", 0),
    "a constant": ("% 7", "% 9", 1),
    "a callee's result": ("square(n: int) -> int:\n    return n * n", "square(n: int):\n    return n / 2", 3),
    "a new function before": ("def total", "def cube(n: int) -> int:\n    return n * n * n\n\n\ndef total", None),
    "a new global name": ("found += square(i) % 7", "found += abs(square(i))", None),
    "another lambda before": ("    return lambda n", "    _ = lambda: 0\n    return lambda n", None),
}


VERSIONS = """
def scale(x, n):
    found = x
    for i in range(n):
        found = found * x % 1000
    return found


def start(n: int) -> int:
    return (n + 5) & 255


print(scale(3, 5), scale(0.5, 5), start(2))
"""
VERSION_EDITS = {
    "nothing": ("", "", set()),
    "the function": ("% 1000", "% 1001", {"scale[float,int]", "scale[int,int]"}),
    "another function": ("n + 5", "n + 6", {"start"}),
    "one more version": (
        "scale(3, 5)",
        "scale(3, 5), scale(True, 1)",
        {"<module>", "scale[bool,int]", "scale[float,int]"},
    ),
    "one version less": ("scale(3, 5), ", "", {"<module>", "scale"}),
}
"""What an edit has lowered again: the entry, which chooses, is the first version's."""


EXPANDED = """
import ppy


@ppy.inline
def inner(n: int) -> int:
    return n * n


@ppy.inline
def outer(n: int) -> int:
    return inner(n) + 1


def apart(n: int) -> int:
    return (n + 5) & 255


def total(n: int) -> int:
    found = 0
    for i in range(n):
        found += outer(i) % 7
    return found + apart(n)


print(total(100))
"""
EXPANDED_EDITS = {
    "the innermost": ("n * n", "n * n * n", {"inner", "outer", "total"}),
    "the one in between": ("inner(n) + 1", "inner(n) + 2", {"outer", "total"}),
    "one that is not expanded": ("n + 5", "n + 6", {"apart"}),
    "the caller": ("% 7", "% 9", {"total"}),
    "a line before": ("import ppy\n", "import ppy\n\n", set()),
}


class Forgetful(MemoryStore):
    """Keeps nothing, so that every function is lowered."""

    def put(self, key: str, data: bytes) -> None:
        pass


def lowered(text: str, store: MemoryStore | None) -> Unit:
    source = Source.from_text(text, "program.py")
    code = stages.compiled(source)
    module = stages.structured(stages.python_ir(source, "__main__", code), NO_PLUGINS)
    pieces = PieceStore(store, "common") if store is not None else None
    return stages.native(module, stages.typed(module, NO_PLUGINS), code, Options(), pieces)


def built(text: str, store: MemoryStore, folder: Path, *, reuse: bool) -> tuple[bytes, list[str]]:
    """The library, and the functions that were lowered for it."""
    unit = lowered(text, store if reuse else None)
    folder.mkdir(exist_ok=True)
    made = create_backend().build(unit, Workspace(folder, store), Options())
    assert made.library is not None
    if reuse:
        PieceStore(store, "common").save_all(unit.pieces, made.objects)
    return made.library.read_bytes(), [piece.source for piece in unit.pieces]


@pytest.mark.toolchain
@pytest.mark.parametrize("edit", EDITS)
def test_the_library_is_the_same_as_without(tmp_path: Path, edit: str) -> None:
    old, new, changed = EDITS[edit]
    store = MemoryStore()
    first, made = built(PROGRAM, store, tmp_path / "first", reuse=True)
    assert len(made) == 6
    edited = PROGRAM.replace(old, new, 1) if old else PROGRAM
    reused, made = built(edited, store, tmp_path / "second", reuse=True)
    assert reused == built(edited, store, tmp_path / "third", reuse=False)[0]
    assert (reused == first) == (changed == 0)
    if changed is not None:
        assert len(made) == changed


@pytest.mark.toolchain
@pytest.mark.parametrize("edit", EXPANDED_EDITS)
def test_a_caller_holds_what_is_expanded_in_it(tmp_path: Path, edit: str) -> None:
    old, new, changed = EXPANDED_EDITS[edit]
    store = MemoryStore()
    built(EXPANDED, store, tmp_path / "first", reuse=True)
    edited = EXPANDED.replace(old, new, 1)
    reused, made = built(edited, store, tmp_path / "second", reuse=True)
    assert set(made) == changed
    assert reused == built(edited, store, tmp_path / "third", reuse=False)[0]


@pytest.mark.toolchain
@pytest.mark.parametrize("edit", VERSION_EDITS)
def test_versions_are_kept_one_by_one(tmp_path: Path, edit: str) -> None:
    old, new, changed = VERSION_EDITS[edit]
    store = MemoryStore()
    built(VERSIONS, store, tmp_path / "first", reuse=True)
    edited = VERSIONS.replace(old, new, 1) if old else VERSIONS
    reused, made = built(edited, store, tmp_path / "second", reuse=True)
    assert set(made) == changed
    assert reused == built(edited, store, tmp_path / "third", reuse=False)[0]


def pieces(text: str) -> Iterator[tuple[str, object]]:
    """Key and text of every function."""
    unit = lowered(text, Forgetful())
    texts: dict[str, list[object]] = {}
    for module in unit_modules(unit):
        texts.setdefault(module.source, []).append((module.name, module.level, module.text))
    for piece in unit.pieces:
        yield piece.key, (texts.get(piece.source), [symbol for symbol, _ in piece.constants], piece.deep)


def test_a_key_stands_for_one_text() -> None:
    """Whatever lowering reads is in the key: over many edits, equal keys come with equal code."""
    seen: dict[str, object] = {}
    variants = [PROGRAM, *(PROGRAM.replace(old, new, 1) for old, new, _ in EDITS.values() if old)]
    variants += [PROGRAM.replace(word, other) for word, other in ((": int", ": float"), ("+", "-"), ("LIMIT", "OTHER"))]
    variants += ["import os\nq = len\n" + PROGRAM, PROGRAM.replace("LIMIT = 100\n", "LIMIT = 100\nLIMIT = 5\n")]
    variants += [EXPANDED, *(EXPANDED.replace(old, new, 1) for old, new, _ in EXPANDED_EDITS.values())]
    variants += [VERSIONS, *(VERSIONS.replace(old, new, 1) for old, new, _ in VERSION_EDITS.values() if old)]
    variants += [EXPANDED.replace("@ppy.inline\n", said, 1) for said in ("", "@ppy.noinline\n", "@ppy.opt(1)\n")]
    for text in variants:
        for key, made in pieces(text):
            assert seen.setdefault(key, made) == made


def test_every_fact_is_in_the_key() -> None:
    """A field added to the facts must be written down by `lower.pieces`, or be one that lowering does not read."""
    read = {
        "sym", "func", "values", "params", "returns", "effects", "calls", "reachable", "op_notes", "op_effects",
        "narrowed", "globals_in", "demanded", "version", "constants",
    }  # fmt: skip
    assert {field.name for field in fields(FunctionFacts)} - read == {"plugged"}


def test_a_lost_object_is_noticed(tmp_path: Path) -> None:
    store = MemoryStore()
    (tmp_path / "first").mkdir()
    unit = lowered(PROGRAM, store)
    made = create_backend().build(unit, Workspace(tmp_path / "first", store), Options())
    PieceStore(store, "common").save_all(unit.pieces, made.objects)
    for key in made.objects["total"]:
        del store.data[key]
    again = lowered(PROGRAM, store)
    assert again.pieces == ()
    with pytest.raises(MissingObject):
        create_backend().build(again, Workspace(tmp_path / "first", store), Options())
