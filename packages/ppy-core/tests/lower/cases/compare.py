def less(a: int, b: int) -> bool:
    return a < b
    # fast: arith.cmp(%1, %2) {kind='slt'}
    # fast 0x: cf.cond_br...
    # twin: func.call([...]) {callee='PyObject_RichCompare'} : object


def mixed(a: int, x: float) -> bool:
    return x >= a
    # fast: func.call([%1, %2, 1]) {callee='ppy_cmp_i64_f64'} : i32


def floats(x: float, y: float) -> bool:
    return x != y
    # fast: arith.cmp(%1, %2) {kind='une'}


def chained(a: int, b: int) -> bool:
    return 0 <= a < b
    # fast: arith.cmp(0, %1) {kind='sle'}
    # fast: cf.cond_br...
    # fast: arith.cmp(%1, %2) {kind='slt'}


def truth(a: int, x: float) -> int:
    return 1 if a else 2 if x else 3
    # fast: arith.cmp(%1, 0) {kind='ne'}
    # fast: arith.cmp(%2, 0.0) {kind='une'}


def identity(a, b):
    return a is not b
    # twin: arith.cmp(...) {kind='ne'}
    # twin 0x: ...RichCompare...


def tested(a, b):
    # The result of the comparison is never an object.
    if a == b:
        return 1
    return a in b
    # twin: func.call([...]) {callee='ppy_compare_truth'} : i32
    # twin: func.call([...]) {callee='PySequence_Contains'} : i32
