"""Array expressions: from the ``tensor`` dialect to loops over memory."""

from __future__ import annotations

from ppy_compiler.lower.tensor.kernel import lower_kernel, quiet_flags

__all__ = ["lower_kernel", "quiet_flags"]
