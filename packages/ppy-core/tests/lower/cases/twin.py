def entered(a: int) -> int:
    # The twin owns what is in the frame; it is entered at its start or at a resume point, on enough stack.
    return a + a
    # twin: ^entry(%0: ptr, %1: i64, %2: ptr):
    # twin: func.call([%0]) {callee='ppy_stack_low'} : i32
    # twin: func.call([...]) {callee='deep.plain'} : object
    # twin: arith.binary(%1, 4294967295) {kind='and'} : i64
    # twin: cf.cond_br(...) [^resume, ^...]
    # twin: func.call([...]) {callee='PyNumber_Add'} : object
    # twin: func.call([...]) {callee='ppy_trace', cold=True}
    # entry: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # entry: cf.cond_br(...) {likely=True} [^..., ^other]
    # entry: func.call([...]) {callee='ppy_incref'}
    # entry: func.call([..., 0, ...]) {callee='twin.entered'} : object
    # entry: func.call([...]) {callee='fast.entered', convention='fast'} : i64, i64
    # entry: func.call([...]) {callee='ppy_box_i64'} : object


def nothing_unboxed(a, b):
    # A body with nothing in registers is its own twin.
    return a.method(b)
    # fast 0x: ...
    # run 0x: ...
    # entry: func.call([...]) {callee='twin.nothing_unboxed'} : object


def rest(a: int, b: int) -> int:
    # The rest of a call, as the fast body's callers expect it: done, raised, or boxed.
    return a * b
    # run: func.call([%0, ..., %1]) {callee='twin.rest'} : object
    # run: cf.cond_br(...) {likely=False} [^raised, ^...]
    # run: func.return([0, 1])
    # run: cf.cond_br(...) {likely=True} [^fits, ^boxed]
    # run: func.return([..., 0])
    # run: func.return([0, 2])
