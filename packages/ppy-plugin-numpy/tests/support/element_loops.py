"""Random programs whose functions loop over elements of arrays: every kind of index, of arithmetic and of layout."""

from __future__ import annotations

import random

HEAD = """\
import warnings

import numpy as np
from numpy.typing import NDArray

"""
PARAMETERS = (
    "a: NDArray[np.float64], b: NDArray[np.float64], w: NDArray[np.int64], m: NDArray[np.float64], "
    "p: NDArray[np.int64], n: int, k: int, x: float"
)
TAIL = """\

def arguments(n, seed, kind):
    r = np.random.default_rng(seed)
    a, b, w = r.random(n) * 4 - 1, r.random(n), r.integers(-3, 9, n)
    m, p = r.random((n, n)), r.integers(-2, 5, (n, n))
    match kind:
        case "reversed":
            a, m = a[::-1], m.T
        case "same":
            b = a
        case "strided":
            b, p = np.repeat(b, 2)[::2], p[:, ::-1]
        case "list":
            a = a.tolist()
        case "others":
            w, a = w.astype(np.int32), a.astype(np.float32)
        case "frozen":
            a.flags.writeable = False
        case "ranks":
            m, w = a, [int(v) for v in w]
    return a, b, w, m, p, n, int(r.integers(-2, 4)), [1.5, float("inf"), 2, -0.5, 1e300][seed % 5]


KINDS = ["plain", "same", "reversed", "strided", "list", "others", "frozen", "ranks", "plain", "plain"]
for f in FUNCTIONS:
    for case, (n, kind) in enumerate(zip([6, 80, 75, 70, 8, 9, 70, 5, 0, 66], KINDS)):
        given = arguments(n, case, kind)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            try:
                answer = repr(f(*given))
            except Exception as error:
                place = error.__traceback__
                while place.tb_next:
                    place = place.tb_next
                answer = f"{type(error).__name__} {error} {place.tb_lineno}"
        told = [(str(warning.message), warning.lineno) for warning in seen]
        print(f.__name__, case, answer, len(told), told[:20])
        print([v.tolist() if isinstance(v, np.ndarray) else v for v in given])
"""
HANDLED = "IndexError, ZeroDivisionError, ValueError, OverflowError"


class Generator:
    """One program for each seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self, functions: int) -> str:
        names = [f"f{number}" for number in range(functions)]
        texts = "\n\n".join(self._function(name) for name in names)
        return f"{HEAD}\n{texts}\n\nFUNCTIONS = [{', '.join(names)}]\n{TAIL}"

    def _function(self, name: str) -> str:
        choice = self.random.choice
        lines = [f"def {name}({PARAMETERS}):", f"    s = {choice(['0.0', '0', 'x', 'a[0]'])}", "    t, u = 1.0, 0"]
        lines += [f"    c = {choice(['0', 'w[0]', 'k'])}", "    kept = []"]
        lines.append(f"    for i in range({choice(['n', 'len(a)', '1, n', '1, n - 1'])}):")
        lines += [*self._block(("i",), 2), *self._block(("i",), 2)]
        return "\n".join([*lines, "    return s, t, u, c, kept[-20:], len(kept)"])

    def _block(self, counters: tuple[str, ...], depth: int) -> list[str]:
        return [line for _ in range(self.random.randint(1, 3)) for line in self._statement(counters, depth)]

    def _statement(self, counters: tuple[str, ...], depth: int) -> list[str]:
        indent, choice, kind = "    " * depth, self.random.choice, self.random.random()
        if kind < 0.3:
            return [f"{indent}{choice('stuc')} {choice(['=', '=', '+=', '-=', '*='])} {self._value(counters)}"]
        if kind < 0.55:
            return [f"{indent}{self._element(counters)} {choice(['=', '+=', '-='])} {self._value(counters)}"]
        if kind < 0.65:
            return [f"{indent}if {self._condition(counters)}:", *self._block(counters, depth + 1)]
        if kind < 0.72:
            return [f"{indent}kept.append({self._value(counters)})"]
        if kind < 0.78:
            handler = [f"{indent}except ({HANDLED}) as error:", f"{indent}    kept.append(str(error))"]
            return [f"{indent}try:", f"{indent}    s = {self._value(counters)}", *handler]
        if kind < 0.82:
            return [f"{indent}if {self._condition(counters)}:", f"{indent}    {choice(['break', 'continue'])}"]
        if len(counters) == 1 and depth < 4:
            turns = choice(["n", "len(a)", "1, n - 1", "n - 1, -1, -1", "0, n, 2", "k, n", "a.shape[0]", "70"])
            return [f"{indent}for j in range({turns}):", *self._block((*counters, "j"), depth + 1)]
        return [f"{indent}{choice('stu')} = {self._value(counters)}"]

    def _element(self, counters: tuple[str, ...]) -> str:
        array = self.random.choice("abwmp")
        indices = [self._index(counters) for _ in range(1 + (array in "mp"))]
        return f"{array}[{', '.join(indices)}]"

    def _index(self, counters: tuple[str, ...]) -> str:
        counter, number = self.random.choice(counters), self.random.randint(0, 3)
        plain = [counter, f"{counter} - 1", f"{counter} + 1", f"{counter} - {number}", str(number - 2), "k"]
        return self.random.choice([*plain, f"{counter} - k", "int(x) % n", f"w[{counter}] % n", f"{counter} // 2"])

    def _value(self, counters: tuple[str, ...], depth: int = 0) -> str:
        choice = self.random.choice
        if depth > 2 or self.random.random() < 0.3:
            number = repr(choice([0, 1, 2, -1, 3, 0.5, 2.0, -1.5, 1e200, 7]))
            return choice(
                [self._element(counters), self._element(counters), choice("stucxkn"), choice(counters), number]
            )
        a, b = self._value(counters, depth + 1), self._value(counters, depth + 1)
        operators = [f"({a} {kind} {b})" for kind in ("+", "-", "*", "/", "//", "%")]
        calls = [f"abs({a})", f"max({a}, {b})", f"min({a}, {b})", f"float({a})", f"int({a})"]
        chosen = f"({a} if {self._condition(counters, depth + 1)} else {b})"
        return choice([*operators, *calls, f"({a} * {b} + {a})", f"-({a})", f"({a}) ** 2", chosen])

    def _condition(self, counters: tuple[str, ...], depth: int = 1) -> str:
        a, b = self._value(counters, depth + 1), self._value(counters, depth + 1)
        compared = [f"{a} {kind} {b}" for kind in ("<", ">=", "==")]
        classes = [f"isinstance({a}, float)", f"isinstance({a}, int)"]
        return self.random.choice([*compared, *classes, a, f"not {a}", f"{a} != {b} and {a} <= {b}"])
