"""What executing something can do, as bits: of one operation, and joined of a whole function."""

from __future__ import annotations

QUIET = 0
RAISES = 1 << 0
RUNS = 1 << 1
"""May run arbitrary Python code: anything the program can reach may have changed afterwards."""
GLOBALS = 1 << 2
"""Writes a global of the module."""
WRITES = 1 << 3
"""Changes an object that may be visible outside."""
ALLOCATES = 1 << 4
IO = 1 << 5
"""Visible outside the process or dependent on it: input, output, time, random state."""
OBJECTS = 1 << 6
"""Touches Python objects other than unboxed scalars; a function without it can run without the GIL."""
ENDLESS = 1 << 7
"""Contains a loop or a recursion."""
RELEASES = 1 << 8
"""May let the last reference to an object of the program go, so that its finalizer runs: any code, but nobody's
contract."""

FOREIGN = RUNS | RELEASES
"""Code of others may run."""
ANYTHING = RAISES | RUNS | OBJECTS
IMPURE = RUNS | GLOBALS | WRITES | IO
NAMES = {
    RAISES: "raises",
    RUNS: "runs code",
    GLOBALS: "writes globals",
    WRITES: "writes objects",
    ALLOCATES: "allocates",
    IO: "input/output",
    OBJECTS: "uses objects",
    ENDLESS: "loops",
    RELEASES: "releases",
}


def describe(effects: int) -> str:
    """The names of the bits, for tests and reports."""
    return ", ".join(name for bit, name in NAMES.items() if effects & bit) or "none"
