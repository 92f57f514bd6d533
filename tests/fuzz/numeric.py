"""The numeric profile: loops over machine numbers near every boundary, without or with few effects.

Trip counts are small constants and products are masked or outside of loops, so programs end and numbers stay
printable.
"""

from __future__ import annotations

from generator import FLOATS, Writer

TYPES = ("int", "int", "int", "float", "bool", "")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Numeric(Writer):
    """Functions over ``a`` to ``e``; ``loops`` counts the loops around."""

    names = "abcde"

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.loops = 0

    def arguments(self, count: int) -> list[str]:
        return [self.argument() for _ in range(count)]

    def argument(self) -> str:
        if self.chance(0.75):
            return self.integer()
        return self.choose(*FLOATS) if self.chance(0.6) else self.choose("True", "False", "Sub(5)", "'x'", "None")

    def function(self, name: str) -> None:
        count = self.random.randrange(1, 4)
        annotated = self.chance(0.7)
        given = [f"{n}: {kind}" if annotated and (kind := self.choose(*TYPES)) else n for n in self.names[:count]]
        returned = f" -> {self.choose('int', 'float', 'int')}" if self.chance(0.3) else ""
        self.emit(0, f"def {name}({', '.join(given)}){returned}:")
        for n in self.names[count:]:
            self.emit(1, f"{n} = {self.choose('0', '1', '0.5', 'True', self.integer(), 'a')}")
        for _ in range(self.random.randrange(2, 6)):
            self.statement(1, 3)
        self.emit(1, f"return {self.choose('a', 'b', 'c', 'd', '(a, b, c, d, e)', '(a, b, c, d, e)')}")
        self.functions.append((name, count))

    def atom(self) -> str:
        return self.random.choice(self.names) if self.chance(0.7) else self.integer()

    def expression(self, depth: int = 2) -> str:
        if depth <= 0 or self.chance(0.2):
            return self.atom()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        m = self.choose("WORD", "MAX", "255", "0xFFFFFFFF", "0xFFFFFFFFFFFFFFFF", "1000003")
        forms = [
            f"{a} + {b}", f"{a} - {b}", f"{a} + {self.integer()}", f"{a} * {self.choose('3', '-7', '2', '31', '-1')}",
            f"({a} * {b}) & {m}", f"({a} * {b} + {self.atom()}) & {m}", f"{a} * {b} % {m}", f"{a} % {b}",
            f"{a} // {b}", f"{a} // {self.integer()}", f"{a} % {self.integer()}", f"{a} & {b}", f"{a} | {b}",
            f"{a} ^ {b}", f"~{a}", f"-{a}", f"+{a}", f"{a} << {self.choose('1', '3', '62', '63')} & {m}",
            f"{a} << ({b} & 7)", f"{a} >> ({b} & 63)", f"{a} >> {self.choose('1', '33', '63', '64', '70')}",
            f"abs({a})", f"min({a}, {b})", f"max({a}, {b})", f"int({a})", f"float({a})", f"bool({a})",
            f"{a} / {b}", f"({a} if {self.condition(0)} else {b})", f"{a} and {b}", f"{a} or {b}",
            f"({a} {self.choose(*COMPARISONS)} {b})", f"divmod({a}, {b})[{self.choose('0', '1')}]",
            f"(not {a})", f"{a} ** 2 % {m}", f"pow({a}, 3, {m})", f"round({a})",
        ]  # fmt: skip
        if not self.loops:
            forms += [f"{a} * {b}"] * 3
        if self.functions:
            name, count = self.random.choice(self.functions)
            forms += [f"{name}({', '.join(self.atom() for _ in range(count))})"] * 2
        return "(" + self.random.choice(forms) + ")"

    def condition(self, depth: int = 1) -> str:
        a, b = self.expression(depth), self.expression(depth)
        return self.choose(
            f"{a} {self.choose(*COMPARISONS)} {b}", f"{a} < {b} <= {self.atom()}", f"{a} % 3 == 0", a,
            f"{a} > {b} and {self.atom()} != {self.integer()}", f"not {a}", f"{a} == {b} or {self.atom()} < 5",
        )  # fmt: skip

    def statement(self, depth: int, budget: int) -> None:
        forms = [self.assign] * 5 + [self.augment] * 3 + [self.effect]
        if budget > 0:
            forms += [self.if_] * 2 + [self.for_] * 3 + [self.while_] * 2 + [self.try_]
        self.random.choice(forms)(depth, budget)

    def block(self, depth: int, budget: int) -> None:
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, budget - 1)

    def target(self) -> str:
        return self.random.choice(self.names)

    def assign(self, depth: int, budget: int) -> None:
        if self.chance(0.15):
            self.emit(depth, f"{self.target()}, {self.target()} = {self.expression()}, {self.expression()}")
        else:
            self.emit(depth, f"{self.target()} = {self.expression()}")

    def augment(self, depth: int, budget: int) -> None:
        operator = self.choose("+=", "-=", "+=", "&=", "|=", "^=", "//=", "%=", ">>=")
        right = f"({self.atom()} & 15)" if operator == ">>=" else self.expression(1)
        self.emit(depth, f"{self.target()} {operator} {right}")

    def effect(self, depth: int, budget: int) -> None:
        if self.chance(0.4) or not self.loops:
            self.emit(depth, f"tick({self.expression(1)})")
        else:
            self.emit(depth, f"if {self.condition()}: {self.choose('break', 'continue', 'return a')}")

    def if_(self, depth: int, budget: int) -> None:
        self.emit(depth, f"if {self.condition()}:")
        self.block(depth + 1, budget)
        if self.chance(0.3):
            self.emit(depth, f"elif {self.condition()}:")
            self.block(depth + 1, budget)
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.block(depth + 1, budget)

    def range(self) -> str:
        a = self.atom()
        step = self.choose("1", "2", "3", "-1", "-2", "7", "MAX", "(1 << 62)", "-(1 << 62)")
        size = self.choose("0", "1", "4", "6")
        return self.choose(
            f"range({self.choose('3', '5', '8')})", f"range({a}, {a} + {size})", f"range({a}, {a} - {size}, -1)",
            f"range({a}, {a} + {size} * {step}, {step})", f"range(MAX - {size}, MAX + 2)", f"range({a} & 7)",
            f"range(MIN + 3, MIN - {size}, -1)", f"range({size}, -3, -2)", f"reversed(range({a}, {a} + 4))",
            f"range({a}, {a} - {size} * {step} - 1, -{step})", f"range(0, 20, {self.choose('3', '7', '0')})",
        )  # fmt: skip

    def for_(self, depth: int, budget: int) -> None:
        variable = self.choose("i", "j", "a", "b", "k")
        self.emit(depth, f"for {variable} in {self.range()}:")
        self.loops += 1
        if variable in "ijk":
            self.emit(depth + 1, f"{self.target()} {self.choose('+=', '-=', '^=', '=')} {variable}")
        self.block(depth + 1, budget)
        self.end_of_loop(depth, budget)

    def while_(self, depth: int, budget: int) -> None:
        counter = f"n{self.fresh()}"
        self.emit(depth, f"{counter} = {self.choose('0', 'MAX - 9', 'MIN', '-4')}")
        first = self.lines[-1].split("= ")[1]
        limit = self.random.randrange(1, 12)
        more = f" and {self.condition()}" if self.chance(0.4) else ""
        self.emit(depth, f"while {counter} < {first} + {limit}{more}:")
        self.emit(depth + 1, f"{counter} += {self.choose('1', '1', '2', '3')}")
        self.loops += 1
        self.block(depth + 1, budget)
        self.end_of_loop(depth, budget)

    def end_of_loop(self, depth: int, budget: int) -> None:
        self.loops -= 1
        if self.chance(0.2):
            self.emit(depth, "else:")
            self.block(depth + 1, budget)

    def try_(self, depth: int, budget: int) -> None:
        self.emit(depth, "try:")
        self.block(depth + 1, budget)
        kind = self.choose("ZeroDivisionError", "TypeError", "(OverflowError, ValueError)", "ArithmeticError")
        if self.chance(0.7):
            self.emit(depth, f"except {kind}:")
        else:
            self.emit(depth, "finally:")
        self.block(depth + 1, budget)
