import ppy


@ppy.specialize
def texts(x: int, m: int, how: str) -> int:
    return x % m if how == "a" else x
    # The version for the constants is tried first, and its numbers are compared before its texts.
    # entry: arith.cmp(..., 8) {kind='eq'}
    # entry: ...ppy_is_str...
    # entry: ...ppy_compare_truth...
    # entry: ...ppy_unbox_i64...
    # entry: ...callee="fast.texts[m=8,how='a']"...
    # entry: ...callee='fast.texts'...
    # entry 1x: ...callee='twin.texts'...
    # fast: ...PyObject_RichCompare...


texts(int("1"), 8, "a")


@ppy.specialize
def signs(x: float) -> float:
    return x * 2.0
    # Bit by bit.
    # entry: arith.cast(...) {kind='bitcast'} : i64
    # entry: arith.cmp(..., -9223372036854775808) {kind='eq'}
    # entry: ...callee='fast.signs[x=-0.0]'...


signs(-0.0)


@ppy.specialize
def lengths(values: tuple[float, ...], k: int) -> float:
    return values[k] * len(values)
    # entry: ...ppy_is_tuple...
    # entry: arith.cmp(..., 2) {kind='eq'}
    # entry: ...callee='fast.lengths[len(values)=2]'...


lengths((0.5, 1.0), int("1"))


def narrow(x: ppy.u8) -> int:
    return x * 2**50
    # What the annotation promises is looked at.
    # entry: arith.cmp(..., 0) {kind='sge'}
    # entry: arith.cmp(..., 255) {kind='sle'}
