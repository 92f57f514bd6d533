"""Casts between number types, as NumPy's ``astype``.

What C leaves undefined (a float that does not fit the integer type) differs between machines, and NumPy warns: such
an element is declined.
"""

from __future__ import annotations

from ppy_compiler.dialects.tensor import BITS, FLOATS
from ppy_compiler.ir import Type, Value
from ppy_compiler.ir.types import F64, I1
from ppy_compiler.lower.tensor.elements import Elements, is_signed, truth


def cast(e: Elements, value: Value, target: Type) -> Value:
    source = value.type
    if source == target:
        return value
    if target == I1:
        return truth(e, value)
    if source.name in FLOATS:
        return _from_float(e, value, target)
    if source == I1 and target.name in FLOATS:
        return e.b.select(value, e.literal(1.0, target), e.literal(0.0, target))
    if target.name in FLOATS:
        return e.b.cast("sitofp" if is_signed(source) else "uitofp", value, target)
    return _between_words(e, value, target)


def _between_words(e: Elements, value: Value, target: Type) -> Value:
    narrow, wide = BITS[target.name], BITS[value.type.name]
    if narrow == wide:
        return e.b.cast("bitcast", value, target)
    if narrow < wide:
        return e.b.cast("trunc", value, target)
    return e.b.cast("sext" if is_signed(value.type) else "zext", value, target)


def _from_float(e: Elements, value: Value, target: Type) -> Value:
    source = value.type
    if target.name in FLOATS:
        return e.b.cast("fptrunc" if source == F64 else "fpext", value, target)
    bits, signed = BITS[target.name], is_signed(target)
    low, high = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if signed else (0.0, 2.0**bits)
    # What lies between `low` and `high` after its fraction is cut off; NaN does not. Where numbers are too far apart
    # for a fraction, `low - 1` is `low`.
    coarse = bits > FLOATS[source.name] // 2 and signed
    kind, least = ("oge", low) if coarse else ("ogt", low - 1)
    above = e.b.cmp(kind, value, e.literal(least, source))
    fits = e.b.binary("and", above, e.b.cmp("olt", value, e.literal(high, source)))
    e.decline(e.b.not_(fits))
    safe = e.b.select(fits, value, e.zero(source))
    return e.b.cast("fptosi" if signed else "fptoui", safe, target)
