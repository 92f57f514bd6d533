STEP = 3
OTHER = 4
# start: func.call([%0, ...]) {callee='run.module'} : object, i64


def constant(a: int) -> int:
    # The guard: the name still holds that number.
    return a + STEP
    # fast: func.call([@unit, ...]) {callee='ppy_global_peek'} : object
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]
    # fast: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # fast: arith.cmp(..., 3) {kind='eq'}
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]
    # fast: arith.binary(%1, 3) {kind='add', exact=True} : i64
    # twin: func.call([@unit, ...]) {callee='ppy_global_load'} : object


def builtin(a: int, b: int) -> int:
    # Only what the name holds is compared; the function is not called.
    return min(a, b)
    # fast: func.call([@unit, ...]) {callee='ppy_global_peek'} : object
    # fast: mem.load(@builtin.builtins.min) {invariant=True} : object
    # fast: arith.cmp(...) {kind='eq'}
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit]
    # fast: arith.cmp(%2, %1) {kind='slt'}
    # fast: arith.select(...) : i64


def stored(a):
    global OTHER
    OTHER = a
    del OTHER
    # twin: func.call([@unit, ...]) {callee='ppy_global_store'} : i32
    # twin: func.call([@unit, ...]) {callee='ppy_global_del'} : i32


def unbound(flag: bool) -> int:
    if flag:
        x = 1
    return x
    # fast: func.call([0, ...]) {callee='ppy_raise_unbound'...}


def cells(a):
    def inner():
        nonlocal a
        a = a + 1
        return a

    return inner
    # twin: func.call([...]) {callee='PyCell_New'} : object
    # twin: func.call([...]) {callee='ppy_make_function'} : object


def literal():
    # Constants of the interpreter are addresses; others are loaded from the unit.
    return None, "text", 5
    # twin: mem.load(@const...) {invariant=True} : object
