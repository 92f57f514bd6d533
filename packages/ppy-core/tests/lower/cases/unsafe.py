# unsafe


def add(a: int, b: int) -> int:
    # Words wrap around.
    return a + b * 3
    # fast: arith.binary(%2, 3) {kind='mul'} : i64
    # fast: arith.binary(%1, ...) {kind='add'} : i64
    # fast 0x: cf.cond_br...


def divide(a: int, b: int) -> int:
    # The check of the divisor stays.
    return a // b
    # fast: func.call([%1, %2]) {callee='ppy_i64_floordiv'} : i64, i64
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]
