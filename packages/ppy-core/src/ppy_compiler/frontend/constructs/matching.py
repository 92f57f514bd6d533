"""``match``."""

from __future__ import annotations

import ast

from ppy_compiler.frontend import names, patterns
from ppy_compiler.frontend.builder import FunctionBuilder
from ppy_compiler.frontend.conditions import branch_on


def match(b: FunctionBuilder, node: ast.Match) -> None:
    subject = b.expr(node.subject)
    end = b.new_block("end")
    for case in node.cases:
        failed = b.new_block("next_case")
        attempt = patterns.Matching(b, failed, [])
        patterns.match(attempt, case.pattern, subject)
        for name, value, span in attempt.captures:
            names.store(b, name, value, span)
        if case.guard is not None:
            guarded = b.new_block("guarded")
            branch_on(b, case.guard, guarded, failed, node)
            b.enter(guarded)
        if b.block is not None:
            b.body(case.body)
            b.jump(end)
        if not b.enter(failed):
            break
    b.jump(end)
    b.enter(end)


TABLE = {ast.Match: match}
