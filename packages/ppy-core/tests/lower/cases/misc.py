import os
# run: func.call...


def imported():
    from os import path
    return path
    # twin: func.call([...]) {callee='ppy_import_name'} : object
    # twin: func.call([...]) {callee='ppy_import_from'} : object


def text(a):
    return f"{a!r:>5}!"
    # twin: func.call([...]) {callee='ppy_format'} : object
    # twin: func.call([...]) {callee='ppy_build_string'} : object


def matched(a):
    match a:
        case [x, *_]:
            return x
        case {"k": v}:
            return v
    # twin: func.call([...]) {callee='ppy_match_sequence'} : i32
    # twin: func.call([...]) {callee='ppy_match_keys'} : object
