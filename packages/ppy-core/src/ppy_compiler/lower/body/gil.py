"""The GIL: a body that touches no object lets other threads run while it computes.

It is decided when the whole body is there. An object-free body's polls let the GIL go (the first one does, about 50
us into a loop), and every way
to something else takes it back first: exits, tracebacks, the return.
"""

from __future__ import annotations

from ppy_compiler.dialects import func
from ppy_compiler.ir import Block, Value
from ppy_compiler.ir.types import I32
from ppy_compiler.lower.body.values import Values

OBJECT_FREE = frozenset(
    (
        "ppy_poll ppy_stack_low ppy_global_peek ppy_cmp_i64_f64 ppy_i64_floordiv ppy_i64_mod ppy_i64_shl ppy_i64_shr "
        "ppy_i64_pow ppy_i64_truediv ppy_i64_mulmod ppy_u64_mulmod ppy_f64_trunc ppy_f64_floor ppy_f64_ceil "
        "ppy_f64_round llvm.fabs.f64 ppy_range_length ppy_run_region"
    ).split()
)
"""Calls that neither look at an object nor raise: what they read is plain memory."""

NATIVE_DIALECTS = frozenset(("arith", "cf", "func", "mem"))


class Polls(Values):
    """Polls, and whether they may let the GIL go."""

    def poll_call(self, act: Value, record: Value, lasti: int) -> Value:
        """A poll, visible as a frame to what runs in it unless the GIL is let go."""
        frame = func.Call((self.ctx, act, record, self.b.i64(lasti)), callee="ppy_frame_enter", types=())
        poll = func.Call((self.ctx,), callee="ppy_poll", types=(I32,))
        self.b.op(frame)
        self.b.op(poll)
        self._polls.append((frame, poll))
        return poll.results[0]

    def need_gil(self) -> None:
        """From here on the body's current block needs the GIL."""
        self._gil_points.append((self.b.block, len(self.b.block.ops)))

    @property
    def object_free(self) -> bool:
        """Whether everything that is not on a cold way out leaves objects alone."""
        if self.general or not self._polls or self.touches_objects:
            return False
        frames = {frame for frame, _ in self._polls}
        ops = [op for block in self.b.region.blocks for op in block.ops]
        return all(
            op in frames or op.cold or op.callee in OBJECT_FREE
            if isinstance(op, func.Call)
            else op.name.partition(".")[0] in NATIVE_DIALECTS  # nobody knows what a plugin's become
            for op in ops
        )

    def let_gil_go(self) -> list[tuple[Block, int]]:
        """Turn the polls into those that release it; where it has to be taken back."""
        for frame, poll in self._polls:
            frame.detach()
            frame.drop_references()
            poll.attributes["callee"] = "ppy_poll_nogil"
        return self._gil_points
