def add(a: int, b: int) -> int:
    return a + b
    # fast: arith.overflow(%1, %2) {kind='sadd'} : i64, i1
    # fast: arith.binary(..., True) {kind='xor'} : i1
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]
    # twin: func.call([...]) {callee='ppy_add_last'} : object


def affine(a: int) -> int:
    # One check of the variable stands for that of the product and that of the sum.
    return 3 * a + 1
    # fast 0x: arith.overflow...
    # fast: arith.cmp(%1, 3074457345618258602) {kind='sle'}
    # fast: arith.cmp(%1, -3074457345618258602) {kind='sge'}
    # fast: arith.binary(%1, 3) {kind='mul', exact=True} : i64
    # fast: arith.binary(..., 1) {kind='add', exact=True} : i64
    # fast 1x: cf.cond_br(...) {likely=True} [...]


def masked(a: int, b: int) -> int:
    # Only the bits that the mask keeps are computed.
    return (a * b + 7) & 0xFFFFFFFFFFFFFFFF
    # fast: arith.binary(%1, %2) {kind='mul'} : i64
    # fast: arith.binary(..., 7) {kind='add'} : i64
    # fast: arith.binary(..., -1) {kind='and'} : i64
    # fast 0x: cf.cond_br...


def product_modulo(a: int, b: int, m: int) -> int:
    # The product has 128 bits and is never an integer object.
    return a * b % m
    # fast 0x: ...'mul'...
    # fast: func.call([%1, %2, %3]) {callee='ppy_i64_mulmod'} : i64, i64
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]


def in_range(a: int) -> int:
    # A remainder is small: the sum has no guard.
    return a % 1000 + 5
    # fast: arith.binary(%1, 1000) {kind='srem'} : i64
    # fast: arith.binary(..., 5) {kind='add', exact=True} : i64
    # fast 0x: cf.cond_br...


def halves(a: int, b: int) -> float:
    return a / 2 + b * 0.5
    # fast: func.call([%1, 2]) {callee='ppy_i64_truediv'} : f64, i64
    # fast: arith.cast(%2) {kind='sitofp'} : f64
    # fast: arith.binary(..., 0.5) {kind='fmul'} : f64
    # fast: arith.binary(...) {kind='fadd'} : f64


def divided(x: float, y: float) -> float:
    # A zero divisor raises: no guard, an error.
    return x / y
    # fast: func.call([%1, %2]) {callee='ppy_f64_truediv'} : f64, i64
    # fast: cf.cond_br(...) {likely=False} [^raised, ^...]
    # fast 0x: func.call(...) {callee='run.divided'...


def shifts(a: int) -> int:
    return (a >> 3) | (a & 7) << 4
    # fast: arith.binary(%1, 3) {kind='ashr'} : i64
    # fast: arith.binary(%1, 7) {kind='and'} : i64
    # fast: arith.binary(..., 4) {kind='shl'} : i64
    # fast: arith.binary(...) {kind='or'} : i64
    # fast 0x: cf.cond_br...


def negated(a: int) -> int:
    return -a
    # fast: arith.cmp(%1, -9223372036854775808) {kind='ne'}
    # fast: arith.binary(0, %1) {kind='sub', exact=True} : i64
    # twin: func.call([...]) {callee='PyNumber_Negative'} : object


def general(a, b):
    return a @ b
    # fast 0x: ...
    # twin: func.call([...]) {callee='ppy_frame_enter_for'}
    # twin: func.call([...]) {callee='PyNumber_MatrixMultiply'} : object
    # twin: cf.cond_br(...) {likely=False} [^raised, ^...]


masked(1, 2), product_modulo(1, 2, 3)
