"""A long program, the same for the same size: functions of six kinds that call each other.

2,000 lines are 111 functions of 18 lines (with the blank ones between them) and a main part. `edit` changes one constant
in the middle of the program, as somebody who works on one function does.
"""

from __future__ import annotations

LINES_EACH = 18
HEAD = '''"""A generated program."""

'''
KINDS = (
    '''def f{i}(n: int) -> int:
    """Sums over a range with branches."""
    total = {c}
    odd = 0
    for k in range(n):
        if k % 3 == 0:
            total += k * {a}
        elif k % 3 == 1:
            total -= k
        else:
            odd += 1
    while total > {c} * 1000:
        total = total // 2
    if odd > n:
        raise ValueError("odd")
    return total + odd{call}


''',
    '''def f{i}(n: int) -> int:
    """Words and their lengths."""
    words = "the quick brown fox jumps over the lazy dog".split()
    counts: dict[str, int] = {{}}
    for k in range(n % 20):
        word = words[k % len(words)]
        counts[word] = counts.get(word, 0) + {a}
    longest = ""
    for word in sorted(counts):
        if len(word) > len(longest):
            longest = word
    text = f"{{longest}}-{{n}}-{c}"
    if text.startswith("x"):
        return 0
    return len(text) + sum(counts.values()){call}


''',
    '''def f{i}(n: int) -> int:
    """Floats that converge."""
    x = {c}.0
    y = 1.0
    steps = 0
    while abs(x - y) > 1e-9 and steps < 50:
        y = x
        x = (x + {a}.0 / x) / 2.0
        steps += 1
    scaled = x * 1000.0
    if scaled > 1e9:
        scaled = 1e9
    low, high = int(scaled), int(scaled) + 1
    if low > high:
        low, high = high, low
    return low + steps + n % 7{call}


''',
    '''def f{i}(n: int) -> int:
    """A list that is filled, filtered and sorted."""
    values = []
    x = {c}
    for k in range(n % 50 + 5):
        x = (x * 1103515245 + 12345) % 2147483648
        values.append(x >> 16)
    small = [v for v in values if v < 16384]
    small.sort()
    best = 0
    for k in range(1, len(small)):
        gap = small[k] - small[k - 1]
        if gap > best:
            best = gap
    return best + len(small) * {a}{call}


''',
    '''def f{i}(n: int) -> int:
    """Exceptions that are raised and caught."""
    failed = 0
    total = 0
    for k in range(n % 12):
        try:
            if k % 4 == 3:
                raise KeyError(k)
            total += {c} // (k % 3)
        except ZeroDivisionError:
            failed += 1
        except KeyError as error:
            failed += error.args[0]
        finally:
            total += {a}
    return total + failed{call}


''',
    '''def f{i}(n: int, step: int = {a}) -> int:
    """Bits of a number."""
    x = (n * {c} + step) & 0xFFFFFFFF
    ones = 0
    zeros = 0
    while x:
        if x & 1:
            ones += 1
        else:
            zeros += 1
        x >>= 1
    pair = (ones, zeros)
    first, second = pair
    weight = first * 2 + second
    return weight if weight % 2 == 0 else -weight{call}


''',
)


def functions_for(lines: int) -> int:
    return lines // LINES_EACH


def program(functions: int, edit: int = 0) -> str:
    """The program's text; another `edit` is another constant in the function in the middle."""
    parts = [HEAD]
    for i in range(functions):
        constant = 3 + i * 7 % 40 + (edit if i == functions // 2 else 0)
        call = f" + f{i - 5}(n // 2)" if i % 3 == 2 and i >= 5 else ""
        parts.append(KINDS[i % len(KINDS)].format(i=i, c=constant, a=2 + i % 9, call=call))
    parts.append("def main() -> None:\n    total = 0\n")
    parts += [f"    total += f{i}({10 + i % 30})\n" for i in range(0, functions, 10)]
    parts.append("    print(total)\n\n\nif __name__ == '__main__':\n    main()\n")
    return "".join(parts)
