def item(a, i):
    return a[i]
    # twin: func.call([...]) {callee='ppy_getitem'} : object


def stored(a, i, v):
    a[i] = v
    del a[i]
    # twin: func.call([...]) {callee='ppy_setitem'} : i32
    # twin: func.call([...]) {callee='PyObject_DelItem'} : i32


def numbers(a: list[int], i: int) -> int:
    # The element is expected to be an exact int: a guard after the operation.
    return a[i] ^ 1
    # fast: func.call([%1]) {callee='ppy_is_list'} : i32
    # fast: func.call([%1, %2]) {callee='ppy_list_index'} : object
    # fast: func.call([%0, ...]) {callee='ppy_getitem'} : object
    # fast: func.call([...]) {callee='ppy_unbox_i64'} : i64, i64
    # fast: cf.cond_br(...) {likely=True} [^..., ^exit...]
    # fast: func.call([...]) {callee='ppy_decref'}


def attribute(a):
    a.x = a.y
    del a.x
    # twin: func.call([..., @caches.attribute]) {callee='ppy_getattr'} : object
    # twin: func.call([...]) {callee='ppy_setattr'} : i32
    # twin: func.call([..., None]) {callee='PyObject_SetAttr'} : i32
