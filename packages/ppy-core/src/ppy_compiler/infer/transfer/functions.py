"""Function objects, classes, type parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppy_compiler.dialects.py.functions import LoadBuildClass, MakeFunction, TypeIntrinsic
from ppy_compiler.infer import effects as fx
from ppy_compiler.infer.atoms import BUILTIN, FUNCTION
from ppy_compiler.infer.facts import named
from ppy_compiler.infer.transfer.names import unknown

if TYPE_CHECKING:
    from ppy_compiler.infer.engine import FunctionAnalysis
    from ppy_compiler.infer.transfer import Answer

BUILD_CLASS = "builtins.__build_class__"


def make_function(op: MakeFunction, env: FunctionAnalysis) -> Answer:
    env.module.made(op, env)
    return (named(FUNCTION, op.func),), fx.ALLOCATES | fx.OBJECTS


def load_build_class(op: LoadBuildClass, env: FunctionAnalysis) -> Answer:
    return (named(BUILTIN, BUILD_CLASS, frozenset(("__build_class__",))),), fx.RAISES | fx.OBJECTS


TABLE = {MakeFunction: make_function, LoadBuildClass: load_build_class, TypeIntrinsic: unknown}
