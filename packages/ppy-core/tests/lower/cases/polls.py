def numeric(n: int, a: int) -> int:
    # A down-counter; nothing here is an object, so the poll lets the GIL go, and every way out takes it back.
    x = 1
    for i in range(n):
        x = (x * a) % 1000003
    return x
    # fast: mem.set(%budget, 16384)
    # fast: ^for:
    # fast: mem.get(%budget) : i64
    # fast: arith.binary(..., 1) {kind='sub'} : i64
    # fast: cf.cond_br(...) {likely=False} [^poll, ^...]
    # fast: ^poll:
    # fast: mem.set(%budget, 16384)
    # fast: func.call([%0]) {callee='ppy_poll_nogil'} : i32
    # fast: arith.cmp(..., 1) {kind='eq'}
    # fast: cf.cond_br(...) {likely=False} [^raised, ^...]
    # fast: func.call([%0]) {callee='ppy_gil_take'}
    # fast: func.call([%0, ...]) {callee='ppy_trace', cold=True}


def objects(n: int, text: str) -> int:
    # The GIL stays, and what runs in the poll sees a frame. Nobody knows the object's size: a turn counts for 256.
    x = 0
    for i in range(n):
        x += len(text)
    return x
    # fast: arith.binary(..., 256) {kind='sub'} : i64
    # fast: func.call([%0, ..., @rec.objects, ...]) {callee='ppy_frame_enter'}
    # fast: func.call([%0]) {callee='ppy_poll'} : i32
    # fast 0x: ...ppy_gil_take...


def unknown(n: int, call: object) -> None:
    # How long a call takes nobody knows.
    for i in range(n):
        call()  # type: ignore[operator]
    # fast: arith.binary(..., 4096) {kind='sub'} : i64
    # fast: func.call([%0]) {callee='ppy_poll'} : i32
    # twin: arith.binary(..., 4096) {kind='sub'} : i64


def callee(a: int) -> int:
    return a ^ 1


def depends(n: int) -> int:
    # What ran in a poll may have bound the callee's name anew: then the twin goes on.
    x = 0
    for i in range(n):
        x ^= callee(i)
    return x
    # fast: func.call([%0]) {callee='ppy_poll'} : i32
    # fast: arith.cmp(..., 2) {kind='ne'}
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]
