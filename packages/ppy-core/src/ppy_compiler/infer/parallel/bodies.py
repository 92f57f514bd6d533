"""What an iteration may do: compute with unboxed numbers, and call functions that do only that."""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.dialects.cf import Br, CondBr
from ppy_compiler.dialects.py import names, operators
from ppy_compiler.dialects.py.calls import Call
from ppy_compiler.dialects.py.functions import Return
from ppy_compiler.dialects.py.loops import Poll, RangeBegin, RangeNext
from ppy_compiler.infer import atoms, ranges
from ppy_compiler.infer.facts import NEVER, Fact
from ppy_compiler.infer.parallel.model import RangeLoop, Refusal
from ppy_compiler.infer.parallel.nest import definition, raising, running_blocks
from ppy_compiler.infer.results import CallTarget, FunctionFacts
from ppy_compiler.ir import Block, Operation, Value
from ppy_compiler.ir.types import I1

MODELS = {"builtins.abs": 1, "builtins.min": 2, "builtins.max": 2, "builtins.float": 1, "builtins.int": 1,
          "builtins.round": 1, "math.floor": 1, "math.ceil": 1, "math.trunc": 1}  # fmt: skip
"""Built-in functions that compute on registers, by the number of arguments that do."""
QUIET_MATH = frozenset(
    f"math.{name}"
    for name in "sqrt exp exp2 expm1 cbrt log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh erf erfc".split()
)
"""Functions of libm: a result that is not finite makes the chunk give up."""
ARITHMETIC = (operators.Binary, operators.Unary, operators.Compare, operators.Truth, operators.FromBool)
PLAIN = (
    *ARITHMETIC, Poll, RangeBegin, RangeNext, Br, CondBr, Return, names.Const, names.Unbound, names.CheckBound,
    names.Annotated, names.LoadGlobal, operators.IsUnbound,
)  # fmt: skip
NUMBERS = "compute with `int`, `float` and `bool` only; move the rest out of the loop"


def unboxed(fact: Fact) -> int:
    """The one type of number that a value is, if it is kept in a register: its bit, else 0."""
    types = fact.types & ~atoms.NULL
    if types in (atoms.FLOAT, atoms.BOOL):
        return types
    return atoms.INT if types == atoms.INT and ranges.fits_word(fact.range) else 0


class Bodies:
    """Bodies of loops and of the functions that they call. ``functions``: all versions of the module's, by key."""

    def __init__(self, functions: Mapping[str, FunctionFacts]) -> None:
        self.functions = functions
        self._callees: dict[str, Refusal | None] = {}

    def bounds_refusal(self, loop: RangeLoop, facts: FunctionFacts) -> Refusal | None:
        values = (*loop.begin.args, loop.begin.current, loop.next.item)
        facts_of = [facts.values.get(value, NEVER) for value in values]
        if all(unboxed(fact) == atoms.INT and fact.signed for fact in facts_of):
            return None
        return Refusal("its bounds are not known to be integers of 64 bits", "annotate them as `int`")

    def refusal(self, facts: FunctionFacts, blocks: tuple[Block, ...]) -> Refusal | None:
        """The first operation in ``blocks`` that is not computing on registers."""
        for block in blocks:
            for op in block.ops:
                found = self._operation(op, facts)
                if found is not None:
                    return found if found.op is not None else Refusal(found.reason, found.remedy, op)
        return None

    def _operation(self, op: Operation, facts: FunctionFacts) -> Refusal | None:
        if isinstance(op, names.Drop):
            return None
        if isinstance(op, names.LoadGlobal):
            return self._global(op, facts)
        if isinstance(op, Call):
            return self._call(op, facts)
        if not isinstance(op, PLAIN):
            return Refusal(f"{_deed(op)}", NUMBERS)
        if op in facts.op_notes:
            return Refusal("an operation in it stays general", "see the remark about that operation", op)
        for value in _numbers(op):
            if not self._scalar(value, op, facts):
                return Refusal(f"{_called(value)} is not a number in a register", NUMBERS)
        if isinstance(op, operators.Binary) and op.kind == "**" and facts.values[op.value].types & atoms.FLOAT:
            return Refusal("`**` of floats may raise", "write a product, or `math.exp` and `math.log`")
        return None

    def _scalar(self, value: Value, op: Operation, facts: FunctionFacts) -> bool:
        if value.type == I1:
            return True
        fact = facts.values.get(value, NEVER)
        if isinstance(definition(value), operators.Binary | operators.Unary | names.Const) and fact.types == atoms.INT:
            return True  # a wide product before `%`, a literal that a mask cuts: lowering has a form for them
        return bool(unboxed(fact))

    def _global(self, op: names.LoadGlobal, facts: FunctionFacts) -> Refusal | None:
        if op.value.uses and all(isinstance(use.user, Call | RangeBegin) and use.slot == 0 for use in op.value.uses):
            return None
        fact = facts.values.get(op.value, NEVER)
        if fact.literal is not None and unboxed(fact):
            return None
        if fact.types == atoms.MODULE and fact.name == "math":
            return Refusal(f"it looks up functions in `{op.var}`", "import them by name: `from math import sqrt`")
        return Refusal(
            f"it reads the global `{op.var}`, which may change", "make it a parameter, or a local before the loop"
        )

    def _call(self, op: Call, facts: FunctionFacts) -> Refusal | None:
        target = facts.calls.get(op)
        name = op.callee.hint or "a function"
        if target is None or op.kwnames:
            return Refusal(f"it calls `{name}`, of which nothing is known", "call functions of this module only")
        kinds = [unboxed(facts.values.get(value, NEVER)) for value in op.args]
        if target.through:
            return Refusal(f"it calls `{name}`, a library's, which is looked at in each turn", "call `math`'s own")
        if target.kind != "function":
            return self._model(target, kinds)
        callee = self.functions[target.version]
        func = callee.func
        whole = None not in target.arguments and len(target.arguments) == len(op.args) == len(func.params)
        if not whole or func.vararg or func.kwarg or func.freevars:
            return Refusal(f"it calls `{name}` with defaults, `*`, or as a closure", "pass every argument")
        wanted = [unboxed(fact) for fact in callee.params]
        if 0 in wanted or any(kinds[i or 0] != want for i, want in zip(target.arguments, wanted, strict=True)):
            return Refusal(f"the arguments of `{name}` are not of its types", "annotate them, as the parameters")
        inner = self._callee(callee)
        if inner is None:
            return None
        return Refusal(f"it calls `{name}`, and {inner.reason}", inner.remedy)

    def _model(self, target: CallTarget, kinds: list[int]) -> Refusal | None:
        name = target.name.removeprefix("builtins.")
        if target.name in QUIET_MATH and len(kinds) == 1 and kinds[0]:
            return None
        if len(kinds) == MODELS.get(target.name) and all(kinds) and (len(kinds) == 1 or len(set(kinds)) == 1):
            return None
        return Refusal(f"it calls `{name}`, which touches objects", NUMBERS)

    def _callee(self, callee: FunctionFacts) -> Refusal | None:
        if callee.key not in self._callees:
            self._callees[callee.key] = None  # a recursive call is what the rest of it is
            self._callees[callee.key] = self._function(callee)
        return self._callees[callee.key]

    def _function(self, callee: FunctionFacts) -> Refusal | None:
        func = callee.func
        if func.native or func.flavor != "plain":
            return Refusal("it runs as Python", "write it without what keeps it there")
        if not unboxed(callee.returns):
            return Refusal("it does not return a number", "annotate its result as `int`, `float` or `bool`")
        return self.refusal(callee, callee_blocks(callee))


def callee_blocks(callee: FunctionFacts) -> tuple[Block, ...]:
    """The blocks of a function that are passed while nothing raises."""
    body = callee.func.body
    return running_blocks(body.entry, callee.reachable, raising(body))


def _numbers(op: Operation) -> list[Value]:
    """The operands that have to be numbers."""
    if isinstance(op, RangeBegin):
        return list(op.args)
    if isinstance(op, RangeNext):
        return [op.current, op.stop, op.step]
    return [] if isinstance(op, operators.IsUnbound) else list(op.operands)


def _called(value: Value) -> str:
    return f"`{value.hint}`" if value.hint and not value.hint.startswith(".") else "a value"


def _deed(op: Operation) -> str:
    return DEEDS.get(op.name, "it uses objects")


DEEDS = {
    "py.setitem": "it stores into an object",
    "py.delitem": "it changes an object",
    "py.setattr": "it sets an attribute",
    "py.delattr": "it changes an object",
    "py.store_global": "it assigns a global",
    "py.del_global": "it deletes a global",
    "py.store_cell": "it assigns a variable that an inner function shares",
    "py.call_method": "it calls a method",
    "py.load_method": "it calls a method",
    "py.getitem": "it takes items of an object",
    "py.iter": "it iterates over an object",
    "py.getattr": "it reads an attribute",
}
