import math


def callee(a: int, b: int) -> int:
    return a + b


def direct(a: int) -> int:
    # From native code to native code; what does not fit comes as an object, and the rest runs in the twin.
    return callee(a, 2) ^ 1
    # fast: func.call([%0, %1, 2]) {callee='fast.callee', convention='fast'} : i64, i64
    # fast: arith.cmp(..., 0) {kind='eq'}
    # fast: cf.cond_br(...) {likely=True} [^..., ^...]
    # fast: arith.cmp(..., 1) {kind='eq'}
    # fast: mem.load(%0) {offset=24} : object
    # fast: cf.br [^leaving]
    # fast 1x: func.call([...]) {callee='run.direct', cold=True} : i64, i64
    # fast: cf.br [^cleanup]
    # valid: func.call([..., @rec.callee]) {callee='ppy_is_bound'} : i32
    # entry: func.call([]) {callee='valid.direct', convention='fast'} : i1


def positional(f, a):
    return f(a, 1)
    # twin: func.call([...]) {callee='ppy_frame_enter_call'}
    # twin: func.call([..., None]) {callee='PyObject_Vectorcall'} : object


def keywords(f, a):
    return f(a, key=1)
    # twin: func.call([...]) {callee='ppy_frame_enter'}
    # twin: func.call([..., ...]) {callee='PyObject_Vectorcall'} : object


def method(text, a):
    return text.join(a)
    # twin: func.call([...]) {callee='ppy_load_method'} : i32


def unpacked(f, a, b):
    return f(*a, **b)
    # twin: func.call([...]) {callee='ppy_call_ex'} : object


def modelled(x: float) -> float:
    # Errors of the function are raised as its own.
    return abs(x) + float(3)
    # fast: func.call([%1]) {callee='llvm.fabs.f64'} : f64
    # fast 0x: ...PyObject_Vectorcall...


def appended(n: int):
    found = []
    for i in range(n):
        found.append(i)
    return found
    # fast: func.call([...]) {callee='ppy_is_list'} : i32
    # fast: func.call([...]) {callee='ppy_list_append'} : i32
