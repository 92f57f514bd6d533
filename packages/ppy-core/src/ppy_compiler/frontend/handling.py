"""Code that handles an exception: it is the handled one until control leaves that code, by whatever way."""

from __future__ import annotations

from ppy_compiler.dialects.py import exceptions as py
from ppy_compiler.frontend.builder import Frame, FunctionBuilder
from ppy_compiler.ir import Value


class Handling:
    """Begins at the construction. The code runs ``within(handling.cleanup, handling.frame)``; then :meth:`close`."""

    def __init__(self, b: FunctionBuilder, exception: Value) -> None:
        self.outer = b.handler
        self.previous = b.emit(py.PushExc(exception)).previous
        self.previous.hint = "previous"
        self.cleanup = b.handler_block("cleanup")
        self.frame = Frame(b.handler, self.restore)

    def restore(self, b: FunctionBuilder) -> None:
        """The exception is handled no more."""
        b.emit(py.PopExc(self.previous))

    def close(self, b: FunctionBuilder) -> None:
        """Where exceptions raised by the handling code pass through; control is elsewhere."""
        if b.enter(self.cleanup):
            self.restore(b)
            b.end(py.Reraise(self.cleanup.args[0]))
