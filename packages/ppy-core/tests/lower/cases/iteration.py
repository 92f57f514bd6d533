def each(a):
    for x in a:
        pass
    # twin: func.call([...]) {callee='PyObject_GetIter'} : object
    # twin: func.call([...]) {callee='ppy_poll'} : i32
    # twin: func.call([...]) {callee='ppy_next'} : i32


def unpacked(a):
    x, y = a
    return x
    # twin: func.call([...]) {callee='ppy_unpack_sequence'} : i32
