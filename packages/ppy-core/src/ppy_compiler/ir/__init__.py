"""The intermediate representation: objects, declarations, text form, verifier, interpreter.

Every dialect, from Python's operations to native code, is made of the same five things: values, operations,
blocks with arguments, regions and successors. This floor knows none of the dialects.
"""
from __future__ import annotations

from ppy_compiler.ir.core import Block, BlockArgument, Operation, OpResult, Region, Successor, Use, User, Value
from ppy_compiler.ir.define import Op, attr, operand, operands, opt_operand, region, result, results, successor
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.types import Type

__all__ = [
    "Block", "BlockArgument", "Op", "OpResult", "Operation", "Region", "Successor", "Trait", "Type", "Use", "User",
    "Value",
    "attr", "operand", "operands", "opt_operand", "region", "result", "results", "successor",
]
