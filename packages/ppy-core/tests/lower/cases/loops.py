def counted(n: int) -> int:
    # The state of the iteration is words; the call of range is a guard on its name.
    last = 0
    for i in range(n):
        last = i
    return last
    # fast: mem.set(%budget, 16384)
    # fast: func.call([@unit, ...]) {callee='ppy_global_peek'} : object
    # fast: arith.cmp(...) {kind='eq'}
    # fast: arith.binary(..., 1) {kind='sub'} : i64
    # fast: mem.set(%budget, ...)
    # fast: arith.cmp(..., 0) {kind='sle'}
    # fast: cf.cond_br(...) {likely=False} [^poll, ^...]
    # fast: arith.binary(..., 1) {kind='add', exact=True} : i64
    # twin: func.call([...]) {callee='ppy_range_begin'} : i32
    # twin: func.call([...]) {callee='ppy_poll'} : i32
    # twin: func.call([...]) {callee='ppy_range_next'} : i32


def stepped(n: int, step: int) -> int:
    # A step that is not known saturates at the word's end: the loop ends there, too.
    last = 0
    for i in range(0, n, step):
        last ^= i
    return last
    # fast: arith.overflow(...) {kind='sadd'} : i64, i1
    # fast: arith.select(..., 9223372036854775807, -9223372036854775808) : i64
    # fast: arith.cmp(%2, 0) {kind='ne'}
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]


def counter(n: int) -> int:
    # Nobody could wait for a counter to overflow.
    k = 0
    while k * k != n:
        k += 1
    return k
    # fast: arith.overflow(...) {kind='smul'} : i64, i1
    # fast: arith.binary(..., 1) {kind='add', exact=True} : i64
    # fast 1x: arith.overflow...


def waits(f, n: int) -> int:
    # A loop that runs Python code polls with a frame, and keeps the GIL.
    k = 0
    for i in range(n):
        f(i)
        k += 1
    return k
    # fast: func.call([%0]) {callee='ppy_poll'} : i32
    # fast 0x: ...ppy_poll_nogil...
