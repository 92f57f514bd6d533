def outer(a):
    def inner(b=a):
        return b

    return inner
    # twin: func.call([...]) {callee='ppy_make_function'} : object
