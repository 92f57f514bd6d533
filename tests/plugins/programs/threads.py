"""A library's function in a loop that would run on threads: what is called is looked at, so it runs on one."""

import ppy
import tinylib
from tinylib import root


@ppy.parallel
def total(n: int) -> int:
    s = 0
    for i in range(n):
        s += int(root(i + 0.5) * 8.0) & 7
    return s


print(total(300000))
globals()["root"] = tinylib.cube
print(total(300000))
