def sides(a: int) -> int:
    # The guards of both sides are one predicate before the branch, and the branch is a selection.
    return a // 2 if a % 2 == 0 else 3 * a + 1
    # fast: arith.binary(%1, 1) {kind='and'} : i64
    # fast: arith.binary(%1, 1) {kind='ashr'} : i64
    # fast: arith.binary(%1, 3) {kind='mul'} : i64
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]
    # fast: arith.select(...) : i64
    # fast 1x: cf.cond_br...


def branches(a: int, f: float) -> float:
    if a > 0:
        return f
    return -f
    # fast: arith.cmp(%1, 0) {kind='sgt'}
    # fast: cf.cond_br(...) [^..., ^...]
    # fast: func.return([%2, 0])
    # fast: arith.fneg(%2) : f64


def returned(a: int, b: int):
    # What does not fit its register leaves as an object, status 2.
    return a + b
    # run: func.call([...]) {callee='twin.returned'} : object
    # run: func.return([0, 1])
    # run: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # run: mem.store(%0, ...) {offset=24}
    # run: func.return([0, 2])


def nothing():
    # twin: func.call([@_Py_NoneStruct]) {callee='ppy_incref'}
    # twin: func.return([@_Py_NoneStruct])
    pass
