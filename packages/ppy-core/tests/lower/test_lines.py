"""Text tests of lowering: Python files with lines of what their functions become, in comments below each function.

====================  ==================================================================================================
``# fast: TEXT``      the next line of the function's native function ``fast`` that is TEXT, where ``...`` is anything
``# twin 2x: TEXT``   exactly two lines of ``twin`` are TEXT; ``0x`` says that none is
``# pack0: i 2``       the first packing's next record: a signed word in the second place becomes an object; ``u f b``
                      are the other scalars (capital: it may be absent), ``o n`` what the fast body only borrowed
====================  ==================================================================================================

Results, and whether a call may be inlined, are left out of the lines; constants stand where they are used, and so do
symbols, as ``@name``. What stands before the first function is about the module's body. A file whose first line is
``# stress`` is lowered as for ``PPY_FAIL_GUARDS``, one that begins ``# unsafe`` without guards for overflow.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ppy_compiler.backends import Options
from ppy_compiler.dialects import func
from ppy_compiler.driver import stages
from ppy_compiler.ir.printer import print_op
from ppy_compiler.ir.verifier import verify
from ppy_compiler.lower.ops import HANDLERS
from ppy_compiler.plugins.asking import PluginSet
from ppy_compiler.support.source import Source

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.py"))
EXPECTATION = re.compile(r"\s*# (\w+)(?: (\d+)x)?: (.+)")
CONSTANT = re.compile(r"(%[\w.]+) = (?:arith.const|mem.symbol) \{(literal|symbol)=(.*)\} : \w+")
MODULE = "module"


@dataclass(frozen=True, slots=True)
class Expectation:
    line: int
    function: str
    count: int | None
    text: str

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(".*?".join(map(re.escape, self.text.split("..."))))


def expectations(text: str) -> Iterator[Expectation]:
    name = MODULE
    for number, line in enumerate(text.splitlines(), 1):
        if defined := re.match(r"def (\w+)", line):
            name = defined[1]
        elif found := EXPECTATION.fullmatch(line):
            yield Expectation(number, f"{found[1]}.{name}", int(found[2]) if found[2] else None, found[3])


def lowered(path: Path, options: Options) -> dict[str, list[str]]:
    """The lines of each native function."""
    source = Source.read(path)
    code, plugins = stages.compiled(source), PluginSet()
    module = stages.structured(stages.python_ir(source, "__main__", code), plugins)
    unit = stages.native(module, stages.typed(module, plugins), code, options, plugins=plugins)
    verify(unit.module)
    ops = unit.module.regions[0].entry.ops
    packings = {op.sym: list(records(op.content)) for op in ops if isinstance(op, func.Bytes) and not op.writable}
    return packings | {op.sym: readable(print_op(op)) for op in ops if isinstance(op, func.Func)}


def records(content: bytes) -> Iterator[str]:
    """What is packed: each value's kind and its place in the frame."""
    while content[0]:
        size = 5 if content[:1].isupper() else 3  # a scalar that may be absent has its flag's place, too
        places = struct.unpack(f"<{size // 2}H", content[1:size])
        yield " ".join([content[:1].decode(), *map(str, places)])
        content = content[size:]


def readable(text: str) -> list[str]:
    """The lines of a native function without the names of results, and with constants where they are used."""
    lines = [line.strip() for line in text.splitlines()]
    known = {}
    for line in lines:
        if found := CONSTANT.fullmatch(line):
            known[found[1]] = found[3] if found[2] == "literal" else f"@{found[3][1:-1]}"
    shown = [line.partition(" = ")[2] or line for line in lines]
    shown = [re.sub(r"%[\w.]+", lambda name: known.get(name[0], name[0]), line) for line in shown]
    shown = [line.replace(", inline=False", "") for line in shown]
    return [line for line in shown if not line.startswith(("arith.const", "mem.symbol"))]


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in FILES])
def test_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf-8")
    monkeypatch.delenv("PPY_FAIL_GUARDS", raising=False)
    if text.startswith("# stress"):
        monkeypatch.setenv("PPY_FAIL_GUARDS", "1")
    natives = lowered(path, Options(unsafe=text.startswith("# unsafe")))
    reached: dict[str, int] = {}
    wanted = list(expectations(text))
    assert wanted, "expects nothing"
    for one in wanted:
        assert one.function in natives or one.count == 0, f"{path.name}:{one.line}: no {one.function} in {[*natives]}"
        lines = natives.get(one.function, [])
        found = [number for number, line in enumerate(lines) if one.pattern.fullmatch(line)]
        if one.count is not None:
            assert len(found) == one.count, f"{path.name}:{one.line}: {len(found)} lines are {one.text}"
            continue
        after = [number for number in found if number >= reached.get(one.function, 0)]
        seen = "\n".join(lines[reached.get(one.function, 0) :])
        assert after, f"{path.name}:{one.line}: no line of {one.function} is {one.text} in\n{seen}"
        reached[one.function] = after[0] + 1


def test_every_family_is_there() -> None:
    """A family of operations is a module of handlers."""
    families = {handler.__module__.rpartition(".")[2] for handler in HANDLERS.values()}
    assert families <= {path.stem for path in FILES}
