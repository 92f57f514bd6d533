def live(a: int, f: float, b: bool, text: str) -> float:
    # What a guard carries: every live value at its place in the frame, the number of the resume point in the first
    # word, and the records of what has to be boxed or referenced, which all exits share.
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
