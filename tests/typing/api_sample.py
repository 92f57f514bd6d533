"""What type checkers see: directives keep the type they are given, widths are numbers. Checked by the types session."""

from __future__ import annotations

from typing import Annotated, assert_type

import ppy


@ppy.native(require=True)
@ppy.opt(3)
@ppy.pure
def add(a: ppy.i64, b: int) -> ppy.i64:
    return a + b


@ppy.dynamic
@ppy.cpu.target("avx2")
@ppy.inline()
def scale(xs: ppy.Buffer[float], by: Annotated[float, ppy.Range(0, 1)]) -> None:
    for i in range(len(xs)):
        xs[i] = xs[i] * by


def use(xs: ppy.Mut[list[int]], anything: ppy.Dynamic) -> str:
    from array import array

    assert_type(add(1, 2), int)
    scale(array("d", [1.0]), 0.5)
    assert_type(ppy.check[int](anything), int)
    assert_type(ppy.assume[list[str]](anything), list[str])
    xs.append(1)
    with ppy.dynamic():
        return str(anything.whatever)
