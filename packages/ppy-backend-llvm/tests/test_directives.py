"""What directives do to the code: levels, expansion in place, attributes, the flags of floats."""

from __future__ import annotations

import re

import pytest
from ppy_backends.llvm import codegen
from ppy_backends.llvm.modules import ModuleText, unit_modules
from ppy_compiler.backends import Options, Unit
from ppy_compiler.dialects import dump, load
from ppy_compiler.driver import stages
from ppy_compiler.lower import inlining
from ppy_compiler.plugins.registry import NO_PLUGINS
from ppy_compiler.support.source import Source

pytestmark = pytest.mark.llvm

LOOP = """
def f(n: int) -> int:
    total = 0
    for k in range(n):
        total ^= k * k & 1023
    return total
"""
CALLS = """
@ppy.inline
def inner(x: int) -> int:
    return x * x + 7


@ppy.inline
def outer(x: int) -> int:
    return inner(x) - inner(x + 1)


def caller(n: int) -> int:
    total = 0
    for k in range(n):
        total += outer(k) % 5
    return total
"""
FLOATS = """
def f(n: int, x: float) -> float:
    total = -x
    for k in range(n):
        total += (x - k) * 0.5
    return total


def g(x: float) -> float:
    return x + x
"""


def lowered(text: str, options: Options) -> Unit:
    source = Source.from_text(f"import ppy\n{text}", "program.py")
    code = stages.compiled(source)
    module = stages.structured(stages.python_ir(source, "__main__", code), NO_PLUGINS)
    return stages.native(module, stages.typed(module, NO_PLUGINS), code, options)


def modules(text: str, options: Options) -> dict[str, ModuleText]:
    return {module.name: module for module in unit_modules(lowered(text, options))}


def assembly(text: str, function: str, options: Options) -> str:
    """The instructions of one native function."""
    (module,) = [m for m in modules(text, options).values() if re.search(rf"^define .*@{function}\(", m.text, re.M)]
    found = re.search(rf"^{function}:\n(.*?)^\.Lfunc_end", codegen.assembly_of(module, options), re.M | re.S)
    assert found is not None
    return re.sub(r"\.L\w+|#.*", "", found[1])


@pytest.mark.parametrize("project", [None, 0, 2, 3])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_a_level_is_that_of_a_project(level: int, project: int | None) -> None:
    """Code under `@ppy.opt(n)` is the code of a project of that level, whatever the project's own is."""
    said = assembly(LOOP.replace("def", f"@ppy.opt({level})\ndef"), "fast.f", Options(opt_level=project))
    assert said == assembly(LOOP, "fast.f", Options(opt_level=level))


def test_level_zero_is_in_the_module_built_at_zero() -> None:
    found = modules(LOOP.replace("def", "@ppy.opt(0)\ndef"), Options(opt_level=3))
    assert [name for name in found if name.startswith("f.")] == ["f.cold"]
    assert codegen.level_of(found["f.cold"], Options(opt_level=3)) == 0


def test_a_level_that_does_not_exist_asks_for_nothing() -> None:
    assert assembly(LOOP.replace("def", "@ppy.opt(7)\ndef"), "fast.f", Options()) == assembly(LOOP, "fast.f", Options())


def test_noinline_is_an_attribute() -> None:
    text = modules(LOOP.replace("def", "@ppy.noinline\ndef"), Options())["f.fast"].text
    assert re.search(r"^define hidden fastcc .* @fast\.f\(.*\) nounwind noinline \{", text, re.M)
    assert not re.search(r"@fast\.f\(.*noinline \{", modules(LOOP, Options())["f.fast"].text)


def test_noinline_keeps_recursion_as_it_is() -> None:
    fib = "def fib(n: int) -> int:\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
    assert "@inlined.fib" in modules(fib, Options())["fib.fast"].text
    assert "@inlined.fib" not in modules(f"@ppy.noinline\n{fib}", Options())["fib.fast"].text


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("body", ["fast", "loops"])
def test_calls_are_expanded(body: str, level: int) -> None:
    options = Options(opt_level=level)
    code = assembly(CALLS, f"{body}.caller", options)
    assert not re.search(r"call\S*\s+\S*(inlined|fast)\.", code)
    plain = assembly(CALLS.replace("@ppy.inline", ""), f"{body}.caller", options)
    assert re.search(r"call\S*\s+fast\.outer", plain)


def test_recursion_is_expanded_one_level() -> None:
    text = """
@ppy.inline
def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


@ppy.inline
def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def caller(n: int) -> int:
    return n + 1 if even(n) else n
"""
    code = modules(text, Options())["caller.fast"].text
    assert "@inlined.even" in code
    assert "@fast.odd" in code
    assert "@inlined.odd" not in code


def test_what_would_be_too_large_is_not_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "MOST_EXPANDED", 12)
    found = modules(CALLS, Options())
    assert "@inlined.inner" in found["outer.fast"].text
    assert "@inlined.outer" not in found["caller.fast"].text


def test_fastmath_is_on_the_float_operations_of_its_function() -> None:
    relaxed = FLOATS.replace("def f", "@ppy.fastmath\ndef f")
    unit = lowered(relaxed, Options())
    text = dump(unit.module)
    flags = re.findall(r"kind='f(?:add|sub|mul)'(, fastmath=True)?}", text)
    assert flags.count("") == 1  # in g
    assert len(flags) > 3
    assert dump(load(text)) == text
    found = {module.name: module.text for module in unit_modules(unit)}
    flagged = re.findall(r"= (f\w+) reassoc contract double", found["f.fast"])
    assert set(flagged) == {"fadd", "fmul", "fneg", "fsub"}
    assert "reassoc" not in found["g.fast"]
    assert not any(flag in found["f.fast"] for flag in ("nnan", "ninf", "nsz", " fast double"))


def test_without_it_nothing_may_be_reassociated() -> None:
    assert not any("reassoc" in module.text for module in modules(FLOATS, Options()).values())


SUM = """
def f(n: int, x: float) -> float:
    total = 0.0
    for _ in range(n):
        total += x * x
        x += 0.5
    return total
"""


def test_a_sum_becomes_vectors_under_fastmath_only() -> None:
    options = Options()
    relaxed, ordered = (modules(text, options)["f.fast"] for text in (SUM.replace("def", "@ppy.fastmath\ndef"), SUM))
    assert re.search(r"fadd reassoc contract <\d+ x double>", str(codegen.optimised(relaxed, options)))
    assert not re.search(r"fadd .*x double>", str(codegen.optimised(ordered, options)))
