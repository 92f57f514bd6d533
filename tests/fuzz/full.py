"""The full profile: objects that tell when they die, handlers, with, closures, generators, unpacking, mutation."""

from __future__ import annotations

from numeric import Numeric


class Full(Numeric):
    """Numbers, lists, instances of ``D`` and everything that can raise, in one function."""

    names = "abcde"

    def function(self, name: str) -> None:
        count = self.random.randrange(1, 4)
        self.emit(0, f"def {name}({', '.join(self.names[:count])}):")
        for n in self.names[count:]:
            if self.chance(0.8):
                self.emit(1, f"{n} = {self.value()}")
        for _ in range(self.random.randrange(2, 6)):
            self.statement(1, 3)
        self.emit(1, f"return {self.choose('a', 'b', 'c', '[a, b]', '(a, b, c)')}")
        self.functions.append((name, count))

    def argument(self) -> str:
        return self.choose(
            self.integer(), self.integer(), "D(1)", "[1, 2, 3]", "'xyz'", "1.5", "None", "{1: 2}", "[D(2), D(3)]",
            "True",
        )  # fmt: skip

    def value(self) -> str:
        a, b, n = self.target(), self.target(), self.fresh()
        return self.choose(
            str(n), f"D({n})", f"[{a}, {b}]", f"({a}, {b})", f"D({n}).add({a})", f"tick({a})", f"{a} + {b}",
            f"D({n}) + {a}",
            f"[{a} for x in range(3)]", f"[x for x in {a}]", f"(lambda: {a})()", f"(lambda q={a}: q)()", f"{a}[{b}]",
            f"{a}[0]", f"({a} and {b})", f"({a} if {self.condition(0)} else {b})", f"{{{a!r}: {b}}}", f"len({a})",
            f"list({a})", f"sum(x for x in {a})", f"{a}.number", f"{a} is {b}", f"isinstance({a}, int)", f"{a} in {b}",
            f"max({a}, {b})", f"sorted({a})", f"(x{n} := {a})", f"f'{{{a}!s:.3}}-{{type({b}).__name__}}'", f"{a} < {b}",
            f"type({a})(3)", f"{a}[1:]", f"[*{a}, {b}]", f"next(iter({a}))", f"{self.expression(1)}",
            f"{self.expression()}",
            f"dict(p={a}, q={b})", f"getattr({a}, 'number', {b})", f"{a} == {b}", f"weakref.ref({a})()",
            f"{{x: {a} for x in range(2)}}", f"any({b} for x in range(2))",
        )  # fmt: skip

    def statement(self, depth: int, budget: int) -> None:
        forms = [self.assign] * 5 + [self.unpack, self.store, self.delete, self.leave]
        forms += [self.leave, self.effect, self.augment]
        if budget > 0:
            forms += [self.if_, self.if_, self.for_, self.each, self.while_, self.handle, self.handle, self.handle]
            forms += [self.with_, self.nested, self.match_]
        self.random.choice(forms)(depth, budget)

    def assign(self, depth: int, budget: int) -> None:
        self.emit(depth, f"{self.target()} = {self.value()}")

    def unpack(self, depth: int, budget: int) -> None:
        a, b, c = self.target(), self.target(), self.target()
        targets = self.choose(f"{a}, {b}", f"{a}, *{b}", f"[{a}, {b}, *{c}]", f"{a}, ({b}, {c})")
        self.emit(depth, f"{targets} = {self.choose(f'{b}, {a}', a, self.value(), self.value())}")

    def store(self, depth: int, budget: int) -> None:
        a, b = self.target(), self.target()
        self.emit(depth, self.choose(
            f"{a}[{self.choose('0', '-1', b)}] = {self.value()}", f"{a}.other = {b}", f"{a}.number = {self.value()}",
            f"{a}.append({b})", f"{a}[1:2] = [{b}]", f"del {a}[0]", f"{a}[0] += {b}", f"{a}.pop()", f"del {a}.other",
            f"{a}.number += {self.value()}",
        ))  # fmt: skip

    def delete(self, depth: int, budget: int) -> None:
        self.emit(depth, f"del {self.target()}")
        if self.chance(0.7):
            self.assign(depth, budget)

    def leave(self, depth: int, budget: int) -> None:
        n = self.fresh()
        ways = [
            f"return {self.target()}", f"raise KeyError({n})",
            f"raise ValueError({n}) from {self.choose('None', f'KeyError({n})')}",
            "1 // 0", "raise", f"raise {self.target()}", "assert not tick(), 'why'",
        ]  # fmt: skip
        ways += ["break", "continue"] * (3 * bool(self.loops))
        self.emit(depth, f"if {self.condition()}: {self.choose(*ways)}")

    def each(self, depth: int, budget: int) -> None:
        a, b = self.target(), self.target()
        source = self.choose(
            a, f"enumerate({a})", f"zip({a}, [1, 2, D({self.fresh()})])", f"[{a}, {b}]", "'pq'", f"list({a})[:5]",
            "(tick(x) for x in range(3))", f"{{{self.fresh()}: {a}}}.items()", f"D({self.fresh()})",
        )  # fmt: skip
        pair = ("enumerate", "zip", "{")
        target = f"{self.target()}, {self.target()}" if source.startswith(pair) else self.target()
        self.emit(depth, f"for {target} in {source}:")
        self.loops += 1
        self.emit(depth + 1, "tick(0)")
        self.block(depth + 1, budget)
        self.end_of_loop(depth, budget)

    def handle(self, depth: int, budget: int) -> None:
        self.emit(depth, "try:")
        self.block(depth + 1, budget)
        handlers = self.random.randrange(3)
        for _ in range(handlers):
            kind = self.choose("ValueError", "KeyError", "(TypeError, AttributeError)", "Exception", "LookupError")
            self.emit(depth, f"except {kind}{f' as {self.target()}' if self.chance(0.4) else ''}:")
            self.block(depth + 1, budget)
        if handlers and self.chance(0.3):
            self.emit(depth, "else:")
            self.block(depth + 1, budget)
        if not handlers or self.chance(0.4):
            self.emit(depth, "finally:")
            self.block(depth + 1, budget)

    def with_(self, depth: int, budget: int) -> None:
        alias = f" as {self.target()}" if self.chance(0.5) else ""
        second = f", M({self.fresh()})" if self.chance(0.3) else ""
        self.emit(depth, f"with M({self.fresh()}){alias}{second}:")
        self.block(depth + 1, budget)

    def nested(self, depth: int, budget: int) -> None:
        """A function of its own: a closure that rebinds, a generator, a lambda kept for later."""
        name, n = f"g{self.fresh()}", self.target()
        loops, self.loops = self.loops, 0
        if self.chance(0.4):
            self.emit(depth, f"def {name}(x):")
            self.emit(depth + 1, "yield x")
            self.emit(depth + 1, f"yield tick({self.value()})")
            self.emit(depth, f"{n} = list({name}({self.target()}))")
        else:
            self.emit(depth, f"def {name}(x, y={self.target()}):")
            # A name declared nonlocal must belong to the function around: its parameters and targets all do by the end.
            self.emit(depth + 1, f"p = {self.choose('x', 'y', self.expression(1), f'tick({n})')}")
            self.emit(depth + 1, f"return {self.choose('p', '[p, x]', f'p + {n}')}")
            self.emit(depth, f"{self.target()} = {name}({self.value()})")
        self.loops = loops

    def match_(self, depth: int, budget: int) -> None:
        self.emit(depth, f"match {self.choose(self.target(), self.value())}:")
        patterns = ["int(x)", "[x, *rest]", "D(number=1)", "'xyz' | 'pq'", "{1: x}", "(x, y)", "None"]
        patterns.append("float() | bool()")
        for _ in range(self.random.randrange(1, 4)):
            guard = f" if {self.condition(0)}" if self.chance(0.3) else ""
            self.emit(depth + 1, f"case {self.choose(*patterns)}{guard}:")
            self.block(depth + 2, budget)
        if self.chance(0.5):
            self.emit(depth + 1, "case _:")
            self.block(depth + 2, budget)
