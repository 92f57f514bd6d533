def back(n: int, a: int) -> int:
    # At the head of a numeric loop the twin counts turns down, and leaves when every live value fits its register.
    x = 0
    for i in range(n):
        x = x * a + i
    return x
    # twin: arith.binary(%1, 48) {kind='lshr'} : i64
    # twin: mem.set(%patience, ...)
    # twin: ^attempt:
    # twin: arith.binary(..., 1) {kind='shl'} : i64
    # twin: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # twin: cf.cond_br(...) [^..., ^stay]
    # twin: func.return([%2])
    # run: func.call([...]) {callee='twin.back'} : object
    # run: func.call([...]) {callee='loops.back', convention='fast'} : i64, i64
    # run: arith.cmp(..., 3) {kind='eq'}
    # run: arith.select(..., 24) : i64
    # run: arith.binary(..., 48) {kind='shl'} : i64
    # loops: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # loops: cf.br [^resumed]
    # loops: func.return([0, 3])


def inner(n: int, m: int, a: int) -> int:
    # An inner loop is entered in a function of its own.
    x = 0
    for i in range(n):
        for j in range(m):
            x = x * a + j
    return x
    # run: ...loops.inner...
    # loops1: ^entry(...):
    # loops1: func.return([0, 4])


def prints(n: int, a: int) -> int:
    # A loop that runs Python code is not worth it.
    x = 0
    for i in range(n):
        x = x * a + i
        print(x)
    return x
    # loops 0x: ...
    # twin 0x: ^attempt:
