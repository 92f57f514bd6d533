def raised(a: int, b: int) -> int:
    # What fails records where, adds its traceback entry, and leaves with status 1.
    return a // b
    # fast: func.call([%1, %2]) {callee='ppy_i64_floordiv'} : i64, i64
    # twin: mem.set(%lasti, ...)
    # twin: func.call([%0, ..., @rec.raised, ...]) {callee='ppy_trace', cold=True}
    # twin: func.return([None])


def handled(f):
    try:
        f()
    except ValueError as e:
        return e
    finally:
        f()
    # twin: func.call([%0, ...]) {callee='ppy_push_exc'} : object
    # twin: func.call([%0, ...]) {callee='ppy_pop_exc'}
    # twin: func.call([...]) {callee='ppy_restore'}
    # twin: func.call([]) {callee='ppy_fetch', cold=True} : object
    # twin: func.call([...]) {callee='ppy_exc_match'} : i32


def raising():
    raise ValueError("no")
    # twin: func.call([...]) {callee='ppy_raise'}
