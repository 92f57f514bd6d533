"""Array expressions: from the ``tensor`` dialect to loops over memory."""

from __future__ import annotations

from ppy_compiler.lower.tensor.kernel import loop_names, lower_kernel, quiet_flags
from ppy_compiler.lower.tensor.sums import lower_sum

__all__ = ["loop_names", "lower_kernel", "lower_sum", "quiet_flags"]
