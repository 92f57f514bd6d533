# stress


def add(a: int, b: int) -> int:
    # Every guard asks for its luck, too.
    return a + b
    # fast: arith.overflow(%1, %2) {kind='sadd'} : i64, i1
    # fast: func.call([%0]) {callee='ppy_fail_guard'} : i32
    # fast: arith.cmp(..., 0) {kind='eq'}
    # fast: arith.binary(...) {kind='and'} : i1
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]


def total(n: int, k: int) -> int:
    # So does the decision between two versions of a loop.
    s = 0
    for i in range(n):
        s += i * k
    return s
    # fast: ^decide:
    # fast: func.call([%0]) {callee='ppy_fail_guard'} : i32
    # fast: cf.cond_br(...) [^..., ^guarded]
