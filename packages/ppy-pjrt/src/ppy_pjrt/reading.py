"""Reads in progress, and bytes as shaped views."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from .host import view_as
from .spec import Spec

if TYPE_CHECKING:
    from .buffer import Buffer


class HostRead:
    """A read in progress. It holds the memory read into, so it may be dropped at any time."""

    __slots__ = ("_buffer", "_event", "_ordered", "_raw")

    def __init__(self, buffer: Buffer) -> None:
        handle = buffer._live()
        self._buffer = buffer
        self._ordered = False
        self._raw = bytearray(max(buffer.nbytes, 1))
        self._event = buffer._start_read(handle, address_of(self._raw), buffer.nbytes)
        raw, held = self._raw, handle
        # The plugin writes until the event fires: memory and buffer are held by its callback, not by this object.
        self._event.add_done_callback(_Holding(raw, held))

    def done(self) -> bool:
        """Whether the contents are there (or have failed)."""
        return self._event.done()

    def result(self, timeout: float | None = None) -> memoryview:
        """Waits, and gives the contents as ``to_host`` does."""
        self._event.wait(timeout)
        return self._finished()

    def __await__(self) -> Generator[Any, None, memoryview]:
        yield from self._event.__await__()
        return self._finished()

    def _finished(self) -> memoryview:
        if not self._ordered:
            self._ordered = True
            self._buffer._order(address_of(self._raw))
        return shaped(self._raw, self._buffer._spec)


class _Holding:
    """A callback that does nothing but hold things until it is called."""

    __slots__ = ("_held",)

    def __init__(self, *held: object) -> None:
        self._held: tuple[object, ...] = held

    def __call__(self, error: object) -> None:
        self._held = ()


def address_of(raw: bytearray) -> int:
    """Where the bytes of a bytearray are."""
    return ctypes.addressof((ctypes.c_char * len(raw)).from_buffer(raw)) if raw else 0


def viewable(out: Any) -> bool:
    """Whether an object has the buffer protocol."""
    try:
        memoryview(out)
    except TypeError:
        return False
    return True


def shaped(raw: Any, spec: Spec) -> memoryview:
    """Bytes as a view of the right element format and shape, where Python has the format."""
    view = memoryview(raw).cast("B")[: spec.nbytes]
    form = spec.dtype.letters
    if not form or form == "e" or form.startswith("Z") or not spec.nbytes:
        return view
    return view_as(view, form, spec.shape)
