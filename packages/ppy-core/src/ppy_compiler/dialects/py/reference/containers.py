"""Container displays, unpacking, f-strings."""

from __future__ import annotations

import ast

from ppy_compiler.dialects.py import containers, strings
from ppy_compiler.dialects.py.reference.instructions import merge_keywords
from ppy_compiler.ir.interpreter import Emitter, Meaning, Reference


def build_tuple(op: containers.BuildTuple, e: Emitter) -> Meaning:
    return ast.Tuple(e.values(op.items), ast.Load())


def build_list(op: containers.BuildList, e: Emitter) -> Meaning:
    return ast.List(e.values(op.items), ast.Load())


def build_set(op: containers.BuildSet, e: Emitter) -> Meaning:
    return ast.Set(e.values(op.items)) if op.items else e.call(set)


def build_dict(op: containers.BuildDict, e: Emitter) -> Meaning:
    items = e.values(op.items)
    return ast.Dict(list(items[::2]), items[1::2])


def _method(method: object) -> Reference:
    """``method(*operands)`` of a builtin type, for its effect."""
    return Reference(lambda op, e: [ast.Expr(e.call(method, *e.values(op.operands)))])


def list_extend(op: containers.ListExtend, e: Emitter) -> Meaning:
    """Through a display of its own, which words the error for what is not iterable as CPython does."""
    display = ast.List([ast.Starred(e.value(op.items), ast.Load())], ast.Load())
    return [ast.Expr(e.call(list.extend, e.value(op.list), display))]


def set_update(op: containers.SetUpdate, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(set.update, e.value(op.set), ast.Set([ast.Starred(e.value(op.items), ast.Load())])))]


def dict_update(op: containers.DictUpdate, e: Emitter) -> Meaning:
    return [ast.Expr(e.call(dict.update, e.value(op.dict), ast.Dict([None], [e.value(op.items)])))]


def unpack(op: containers.Unpack, e: Emitter) -> Meaning:
    return [ast.Assign([ast.Tuple([e.store(v) for v in op.items], ast.Store())], e.value(op.iterable))]


def unpack_ex(op: containers.UnpackEx, e: Emitter) -> Meaning:
    targets = [e.store(v) for v in op.items]
    targets[op.before] = ast.Starred(targets[op.before], ast.Store())
    return [ast.Assign([ast.Tuple(targets, ast.Store())], e.value(op.iterable))]


def format_value(op: strings.FormatValue, e: Emitter) -> Meaning:
    value = e.value(op.argument)
    spec = e.value(op.spec) if op.spec is not None else None
    return ast.FormattedValue(value, ord(op.conversion) if op.conversion else -1, spec)


def build_string(op: strings.BuildString, e: Emitter) -> Meaning:
    return ast.JoinedStr(e.values(op.parts))


TABLE = {
    containers.BuildTuple: Reference(build_tuple),
    containers.BuildList: Reference(build_list),
    containers.BuildSet: Reference(build_set),
    containers.BuildDict: Reference(build_dict),
    containers.ListAppend: _method(list.append),
    containers.SetAdd: _method(set.add),
    containers.DictSet: _method(dict.__setitem__),
    containers.ListExtend: Reference(list_extend),
    containers.SetUpdate: Reference(set_update),
    containers.DictUpdate: Reference(dict_update),
    containers.DictMerge: _method(merge_keywords),
    containers.ListToTuple: Reference(lambda op, e: e.call(tuple, e.value(op.list))),
    containers.Unpack: Reference(unpack),
    containers.UnpackEx: Reference(unpack_ex),
    strings.FormatValue: Reference(format_value),
    strings.BuildString: Reference(build_string),
}
