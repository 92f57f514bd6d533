def affine(n: int, k: int, c: int) -> int:
    # Two versions. The decision bounds the sum by what the variables are now; where it does not hold, the guarded
    # version runs, and only that enters the twin.
    s = 0
    for i in range(n):
        s += i * k + c
    return s
    # fast: ^door:
    # fast: arith.binary(...) {kind='sub'} : i64
    # fast: arith.cmp(..., 64) {kind='uge'}
    # fast: cf.cond_br(...) [^decide, ^for]
    # fast: ^decide:
    # fast: func.call([...]) {callee='llvm.fabs.f64'} : f64
    # fast: arith.binary(16385.0, ...) {kind='fmul'} : f64
    # fast: arith.cmp(..., 4.611686018427388e+18) {kind='olt'}
    # fast: cf.cond_br(...) [^unguarded, ^guarded]
    # fast: ^unguarded:
    # fast: mem.set(%limit, ...)
    # fast: cf.br [^for.2]
    # fast: ^rest:
    # fast: cf.cond_br(...) [^poll, ^guarded]
    # fast: ^for.2:
    # fast: arith.cmp(...) {kind='slt'}
    # fast: cf.cond_br(...) [^body.2, ^rest]
    # fast: ^body.2:
    # fast: arith.binary(..., %2) {kind='mul', exact=True} : i64
    # fast: arith.binary(..., %3) {kind='add', exact=True} : i64
    # fast: arith.binary(...) {kind='add', exact=True} : i64
    # fast: cf.br [^for.2]
    # fast 3x: arith.overflow...
    # fast 1x: func.call([%0]) {callee='ppy_poll_nogil'} : i32
    # loops: ^decide:
    # twin 0x: ^decide:


def looks_up(n: int) -> int:
    # The name is looked up where the decision is; the decision fails into the guarded version.
    s = 0
    for i in range(n):
        s += min(i, 7) * 3
    return s
    # fast: ^decide:
    # fast: func.call([@unit, ...]) {callee='ppy_global_peek'} : object
    # fast: arith.cmp(...) {kind='eq'}
    # fast: cf.cond_br(...) [^..., ^guarded]


def leaves(n: int, k: int) -> int:
    # A loop that is left in the middle counts its turns.
    s = 0
    for i in range(n):
        if s == k:
            break
        s += i
    return s
    # fast: ^decide:
    # fast: ^for.2:
    # fast: arith.binary(..., 1) {kind='sub'} : i64
    # fast: cf.cond_br(...) {likely=False} [^poll, ^unguarded]
    # fast 0x: ^rest:


def poll_alone(n: int, k: int) -> int:
    # Only the poll is in the way of vector code.
    s = 0
    for i in range(n):
        s ^= i & k
    return s
    # fast: ^decide:
    # fast: mem.set(%limit, ...)
    # fast 0x: arith.overflow...


def grows(n: int, a: int) -> int:
    # A product of the variable itself has no bound.
    s = 1
    for i in range(n):
        s *= a
    return s
    # fast 0x: ^decide:


def short(n: int) -> int:
    # A few turns are not worth it.
    s = n
    for i in range(10):
        s += i
    return s
    # fast 0x: ^decide:


def objects(n: int, text: str) -> int:
    s = 0
    for i in range(n):
        s += len(text)
    return s
    # fast 0x: ^decide:


affine(5, 5, 5), looks_up(5), leaves(5, 5), poll_alone(5, 5), grows(5, 5), short(5), objects(5, "")
