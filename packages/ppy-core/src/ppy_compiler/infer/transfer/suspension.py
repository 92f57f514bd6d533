"""Generators, coroutines, context managers: nothing is assumed about what they hand over."""

from __future__ import annotations

from ppy_compiler.dialects.py.contexts import OPS as CONTEXT_OPS
from ppy_compiler.dialects.py.generators import OPS as GENERATOR_OPS
from ppy_compiler.dialects.py.generators import IsStopAsync
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.facts import boolean
from ppy_compiler.infer.transfer.names import unknown
from ppy_compiler.ir import Operation


def is_stop(op: Operation, env: object) -> tuple[tuple[object, ...], int]:
    return (boolean(),), fx.OBJECTS


TABLE = {**dict.fromkeys((*CONTEXT_OPS, *GENERATOR_OPS), unknown), IsStopAsync: is_stop}
