"""Imports, f-strings, pattern matching, context managers."""

from __future__ import annotations

from ppy_compiler.dialects.py import contexts, imports, matching, names, strings
from ppy_compiler.ir.types import I32, I64, OBJECT
from ppy_compiler.lower.body import Body
from ppy_compiler.lower.ops.handler import Handlers
from ppy_compiler.lower.reprs import Repr


def import_name(body: Body, op: imports.ImportName) -> None:
    scope = body.module_dict() if body.fn.source.kind == "module" else body.b.null()
    body.enter_frame()
    literals = [body.constant(literal) for literal in (op.module, op.fromlist, op.level)]
    body.define(op.value, body.new("ppy_import_name", body.unit, scope, *literals))


def import_from(body: Body, op: imports.ImportFrom) -> None:
    module = body.obj(op.module)
    body.enter_frame()
    body.define(op.value, body.new("ppy_import_from", module, body.constant(op.var)))


def import_star(body: Body, op: imports.ImportStar) -> None:
    body.enter_frame()
    body.status("ppy_import_star", body.obj(op.module), body.module_dict())


def format_value(body: Body, op: strings.FormatValue) -> None:
    value = body.obj(op.argument)
    spec = body.obj(op.spec) if op.spec is not None else body.b.null()
    body.enter_frame()
    conversion = body.b.i32(ord(op.conversion) if op.conversion else 0)
    body.define(op.value, body.new("ppy_format", value, conversion, spec))


def build_string(body: Body, op: strings.BuildString) -> None:
    body.define(op.value, body.new("ppy_build_string", body.vector(op.parts), body.b.i64(len(op.parts))))


def match_kind(body: Body, op: matching.MatchSequence | matching.MatchMapping) -> None:
    callee = "ppy_match_sequence" if isinstance(op, matching.MatchSequence) else "ppy_match_mapping"
    body.define(op.value, body.b.nonzero(body.b.call1(callee, [body.obj(op.subject)], I32)), Repr.BIT)


def match_class(body: Body, op: matching.MatchClass) -> None:
    subject, cls = body.obj(op.subject), body.obj(op.cls)
    body.enter_frame()
    names = body.constant(op.kwnames)
    body.define(op.value, body.new("ppy_match_class", subject, cls, body.b.i64(op.count), names))


def match_keys(body: Body, op: matching.MatchKeys) -> None:
    subject, keys = body.obj(op.subject), body.obj(op.keys)
    body.enter_frame()
    body.define(op.value, body.new("ppy_match_keys", subject, keys))


def length(body: Body, op: matching.Length) -> None:
    value = body.obj(op.argument)
    body.enter_frame()
    size = body.b.call1("PyObject_Size", [value], I64)
    body.release_temps()
    body.fail_if(body.b.cmp("slt", size, body.b.i64(0)))
    body.define(op.value, size, Repr.I64)


def with_enter(body: Body, op: contexts.WithEnter) -> None:
    manager, out = body.obj(op.manager), body.b.array(8)
    body.enter_frame()
    value = body.new("ppy_with_enter", manager, out)
    body.define(op.exit, body.b.load(out, 0, OBJECT))
    body.define(op.value, value)


def with_exit(body: Body, op: contexts.WithExit) -> None:
    exit, exception = body.obj(op.exit), body.obj(op.exception)
    body.enter_frame()
    body.define(op.value, body.new("ppy_with_exit", exit, exception))


def setup_annotations(body: Body, op: names.SetupAnnotations) -> None:
    body.status("ppy_setup_annotations", body.module_dict())


HANDLERS: Handlers = {
    imports.ImportName: import_name,
    imports.ImportFrom: import_from,
    imports.ImportStar: import_star,
    strings.FormatValue: format_value,
    strings.BuildString: build_string,
    matching.MatchSequence: match_kind,
    matching.MatchMapping: match_kind,
    matching.MatchClass: match_class,
    matching.MatchKeys: match_keys,
    matching.Length: length,
    names.SetupAnnotations: setup_annotations,
    contexts.WithEnter: with_enter,
    contexts.WithExit: with_exit,
}
