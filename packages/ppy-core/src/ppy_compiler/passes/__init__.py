"""The pass manager and the passes over Python IR.

Passes are data: ``table.TABLE`` lists them, ``table.ORDER`` says which must come before which and why, and
``pipeline`` checks that when it builds a sequence. Each takes verified IR and leaves verified IR.
"""

from __future__ import annotations

from ppy_compiler.passes.manager import BrokenPass, Ordering, Pass, Pipeline, WrongOrder, pipeline, run_pass

__all__ = ["BrokenPass", "Ordering", "Pass", "Pipeline", "WrongOrder", "pipeline", "run_pass"]
