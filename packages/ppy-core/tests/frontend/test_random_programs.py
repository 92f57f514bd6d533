"""Random control flow (loops, handlers, finally, with, early exits, deletion) runs as under CPython."""

from __future__ import annotations

import contextlib
import io
import random
from typing import Any

import pytest
from ppy_compiler.dialects.py.reference.run import run_module
from ppy_compiler.frontend import build_module, compile_code
from ppy_compiler.ir.verifier import verify
from ppy_compiler.support.source import Source

SEEDS = 12
FUEL = 60
PRELUDE = """\
import builtins
fuel = {fuel}
class Stop(BaseException): pass
def tick(*values):
    global fuel
    fuel -= 1
    if fuel < 0: raise Stop
    print(*values)
    return fuel
class M:
    def __init__(self, n): self.n = n
    def __enter__(self):
        tick("enter", self.n)
        return self.n
    def __exit__(self, kind, value, tb):
        tick("exit", self.n, kind)
        return self.n % 2 == 0 and kind is not None and issubclass(kind, Exception)
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("gone", self.n)
"""
CALL = """\
fuel = {fuel}
print("call")
try: print("result", type(f({k}, 2)).__name__)
except BaseException as e: print(repr(e), repr(e.__context__))
"""
VARIABLES = "abcd"


class Generator:
    """Statements of one function; ``loops`` counts those around, ``depth`` all statements around."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.number = 0

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self) -> int:
        self.number += 1
        return self.number

    def variable(self) -> str:
        return self.random.choice(VARIABLES)

    def value(self) -> str:
        return self.random.choice([
            str(self.fresh()), self.variable(), f"{self.variable()} + 1", f"tick({self.fresh()})", f"D({self.fresh()})",
            f"({self.variable()} and {self.variable()})", f"({self.variable()} if {self.condition()} else 0)",
            f"[{self.variable()} for a in range(2)]", f"(lambda: {self.variable()})()",
        ])  # fmt: skip

    def condition(self) -> str:
        n = self.random.randrange(2, 5)
        return self.random.choice(
            [f"fuel % {n}", f"fuel % {n} == 0", f"tick('c') % {n} and fuel > 5", f"not {self.variable()}"]
        )

    def block(self, depth: int, loops: int, budget: int) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, loops, budget - 1)

    def statement(self, depth: int, loops: int, budget: int) -> None:
        compound = [self.if_, self.while_, self.for_, self.try_, self.try_, self.with_]
        simple = [self.assign, self.assign, self.assign, self.show, self.delete, self.leave, self.parallel]
        self.random.choice(simple if budget <= 0 or self.random.random() < 0.4 else compound)(depth, loops, budget)

    def assign(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, f"{self.variable()} = {self.value()}")

    def parallel(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, f"{self.variable()}, {self.variable()} = {self.variable()}, {self.value()}")

    def show(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, f"tick({self.fresh()}, type({self.variable()}).__name__)")

    def delete(self, depth: int, loops: int, budget: int) -> None:
        if self.random.random() < 0.3:
            self.emit(depth, f"del {self.variable()}")
        self.assign(depth, loops, budget)

    def leave(self, depth: int, loops: int, budget: int) -> None:
        ways = [
            "return " + self.variable(),
            f"raise KeyError({self.fresh()})",
            f"raise ValueError({self.fresh()})",
            "1 / 0",
            "raise",
        ]
        self.emit(
            depth,
            f"if {self.condition()}: " + self.random.choice([*ways, *["break", "continue"] * 2] if loops else ways),
        )

    def if_(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, f"if {self.condition()}:")
        self.block(depth + 1, loops, budget)
        if self.random.random() < 0.5:
            self.emit(depth, "else:")
            self.block(depth + 1, loops, budget)

    def while_(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, "while tick('w') % 5:")
        self.block(depth + 1, loops + 1, budget)
        self.loop_else(depth, loops, budget)

    def for_(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, f"for {self.variable()} in range(tick('f') % 4):")
        self.block(depth + 1, loops + 1, budget)
        self.loop_else(depth, loops, budget)

    def loop_else(self, depth: int, loops: int, budget: int) -> None:
        if self.random.random() < 0.3:
            self.emit(depth, "else:")
            self.block(depth + 1, loops, budget)

    def try_(self, depth: int, loops: int, budget: int) -> None:
        self.emit(depth, "try:")
        self.block(depth + 1, loops, budget)
        handlers = self.random.randrange(3)
        for _ in range(handlers):
            kind = self.random.choice(["ValueError", "KeyError", "(ZeroDivisionError, RuntimeError)", "NameError"])
            self.emit(depth, f"except {kind}{f' as {self.variable()}' if self.random.random() < 0.5 else ''}:")
            self.block(depth + 1, loops, budget)
        if handlers and self.random.random() < 0.3:
            self.emit(depth, "else:")
            self.block(depth + 1, loops, budget)
        if not handlers or self.random.random() < 0.4:
            self.emit(depth, "finally:")
            self.block(depth + 1, loops, budget)

    def with_(self, depth: int, loops: int, budget: int) -> None:
        target = f" as {self.variable()}" if self.random.random() < 0.5 else ""
        self.emit(depth, f"with M({self.fresh()}){target}:")
        self.block(depth + 1, loops, budget)


def program(seed: int) -> str:
    generator = Generator(seed)
    if seed % 4:
        generator.emit(1, "c, d = 1, [2]")
    for _ in range(5):
        generator.statement(1, 0, 4)
    calls = "".join(CALL.format(fuel=FUEL + k, k=k) for k in range(6))
    return PRELUDE.format(fuel=FUEL) + "def f(a, b):\n" + "\n".join(generator.lines) + "\n" + calls


def output(run: Any) -> list[list[str]]:
    """The lines of each call. Where it raised, CPython's traceback keeps the locals longer than the function."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run({"__name__": "random_program", "__builtins__": __builtins__})
    calls = [call.splitlines() for call in out.getvalue().split("call\n")]
    return [
        call if any(line.startswith("result") for line in call) else [x for x in call if not x.startswith("gone")]
        for call in calls
    ]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_program(seed: int) -> None:
    source = Source.from_text(program(seed), f"random_{seed}.py")
    code = compile_code(source)
    module = build_module(source, "random_program", code)
    verify(module)
    expected = output(lambda namespace: exec(code, namespace))
    assert output(lambda namespace: run_module(module, code, namespace)) == expected
