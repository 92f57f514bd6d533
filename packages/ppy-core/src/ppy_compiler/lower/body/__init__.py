"""One native body of a Python function: where its values live, how operations fail, how guards leave.

A body is made from Python IR operation by operation. Handlers (``lower.ops``) say what an operation does with its
operands;
this package does the rest around them, the same way for every operation:

* values: read in any representation, defined in any, converted and guarded as the plan says;
* references: an object defined here is owned from its definition to its last use, and released on every way out,
exceptional ones
  included; parameters of a fast body and constants are borrowed;
* errors: a failing operation records its bytecode offset, adds its traceback entry, releases what the handler does
not need, and goes there;
* guards: a failed guard calls an *exit*, which boxes the live values and enters the twin at that very point.

What lives across blocks lives in slots (see ``dialects.mem``), so a body may be entered at any block.

Bottom up: ``values`` (reading, boxing, references), ``activation`` (frames), ``guards``, ``edges``, ``unwinding``,
``body``.
"""

from __future__ import annotations

from ppy_compiler.lower.body.body import Body
from ppy_compiler.lower.body.boxes import DONE, GAVE_UP, ZERO, box, rematerialized, unbox

__all__ = ["DONE", "GAVE_UP", "ZERO", "Body", "box", "rematerialized", "unbox"]
