def displays(a, b):
    return [a, b], (a,), {a}, {a: b}
    # twin: func.call([...]) {callee='ppy_make_list'} : object
    # twin: func.call([...]) {callee='ppy_make_tuple'} : object
    # twin: func.call([...]) {callee='ppy_make_set'} : object
    # twin: func.call([...]) {callee='ppy_make_dict'} : object
