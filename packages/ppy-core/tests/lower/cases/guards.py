def live(a: int, f: float, b: bool, text: str) -> float:
    # What a guard carries: every live value at its place in the frame, the number of the resume point in the first
    # word, and the records that say which values are unboxed and which are borrowed; what is owned needs none.
    f = f * 2.0
    a = a + 1
    return f + a if b else f - len(text)
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]
    # fast: ^exit:
    # fast: mem.set(..., %1)
    # fast: mem.set(..., %2)
    # fast: arith.cast(%3) {kind='zext'} : i64
    # fast: mem.set(..., %4)
    # fast: mem.set(..., 1)
    # fast: mem.set(%records, @pack0.live)
    # fast: cf.br [^leaving]
    # fast: ^leaving:
    # fast: func.call([...]) {callee='ppy_pack', cold=True}
    # fast: func.call([%0, ...]) {callee='run.live', cold=True} : f64, i64
    # fast: func.return([...])
    # fast 1x: func.call([...]) {callee='ppy_pack', cold=True}
    # pack0: i 1
    # pack0: f 2
    # pack0: b 3
    # pack0: o 4


def owned(a: int, n: int, text: str) -> int:
    # An object made here is the twin's from the exit on. A variable that may be unbound travels with its flag.
    made = text * 2
    for i in range(n):
        a = a + len(made)
        if i > 5:
            late = i
        if i > 6:
            a ^= late
    return a
    # pack0: o 3
    # pack1 0x: o ...
    # fast: mem.get(%made) : object
    # fast: mem.set(%records, @pack3.owned)
    # pack3 0x: o ...
    # pack3: n ...
    # pack3: I ... ...


def shared(a: int, b: int) -> int:
    # Guards of operations that leave different things behind have exits of their own; the way out is one.
    return (a + b) * (a - b)
    # fast 3x: arith.overflow...
    # fast 3x: mem.set(%records, @pack...)
    # fast 1x: func.call([...]) {callee='run.shared', cold=True} : i64, i64


def effects(a: int) -> int:
    # The effect before the guard is not repeated: the twin goes on behind it.
    print(a)
    return a + a
    # fast 1x: func.call([...]) {callee='PyObject_Vectorcall'} : object
    # fast: func.call([...]) {callee='PyObject_Vectorcall'} : object
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]
    # twin: arith.cmp(..., 0) {kind='eq'}
    # twin: cf.cond_br(...) [^resume, ^...]
    # twin: arith.cmp(..., 1) {kind='eq'}
    # twin: cf.cond_br(...) [^resume.2, ^...]
    # twin: cf.unreachable


def proven(a: int) -> int:
    # Nothing can fail, so there is neither a way out nor a resume point.
    return (a & 255) * 3 - (a % 7)
    # fast 0x: cf.cond_br...
    # fast 0x: ...run.proven...
    # twin 1x: cf.cond_br(...) [^resume...
