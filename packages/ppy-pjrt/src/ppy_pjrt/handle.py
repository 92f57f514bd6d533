"""Owned C objects as integers: a handle *is* the address, and the C object is destroyed when its last holder is gone.

Closing an object drops its reference only. A call in flight in another thread holds its own, so no close, in whatever
order or thread, can free what a plugin is reading. The class of a handle holds its owner (a buffer's class the client),
so children keep parents alive without any look-up.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Any

from .abi import layout
from .api import Api
from .fastpath import fast, template
from .host import view_as


def handle_class(api: Api, entry: str, field: str, owner: object = None, *, parent: bool = False) -> Any:
    """What makes handles that one entry of the main table destroys: a class of integers, or its compiled equal.

    ``parent``: other handles have this kind as their owner, and all of them must go first.
    """
    if fast is not None:
        frame = api.frame(f"{entry}_Args")
        api.table.entry(entry)
        made = fast.Destroyer(
            template(api.table.pointer(entry), frame), frame.layout.fields[field].offset, owner, api.drop_error
        )
        api.handle_classes.add(made)
        return made
    destroy = api.table.entry_by_reference(entry)
    args = layout(f"{entry}_Args")
    place = args.fields[field]
    # Argument structs are pooled and popped whole, never shared: finalisers run in any thread, also while another is
    # inside. The names are bound as defaults because this runs once per result of every call.
    pool: list[tuple[Any, Any]] = []

    def fresh() -> tuple[Any, Any]:
        frame = api.frame(args.name)
        return view_as(memoryview(frame.raw), "N"), ctypes.byref(frame.raw)

    def finalise(
        self: int, pop: Any = pool.pop, push: Any = pool.append, word: int = place.offset // 8, destroy: Any = destroy,
    ) -> None:  # fmt: skip
        try:
            kit = pop()
        except IndexError:
            kit = fresh()
        kit[0][word] = self
        error = destroy(kit[1])
        push(kit)
        if error:
            api.drop_error(error)

    if parent:
        finalise = _after_children(finalise)
    names = {"__slots__": (), "__del__": finalise, "__reduce_ex__": _not_copied, "owner": owner}
    kind: type[int] = type(f"{entry}Handle", (int,), names)
    api.handle_classes.add(kind)
    return kind


def _not_copied(self: int, protocol: object) -> object:
    """A second owner would destroy the C object once more."""
    raise TypeError("what a plugin holds cannot be copied or pickled: read the buffer, or serialise the executable")


# The cycle collector calls the finalisers of what it found in any order, so during a collection parents wait for its
# end. (Compiled handles are no matter of the collector: references alone order them.)
_waiting: list[Any] = []
_collecting = False


def _after_children(finalise: Any) -> Any:
    if _around_collection not in gc.callbacks:
        gc.callbacks.append(_around_collection)

    def late(self: int) -> None:
        if _collecting:
            _waiting.append((finalise, int(self)))
        else:
            finalise(self)

    return late


def _around_collection(phase: str, _: object) -> None:
    global _collecting
    _collecting = phase == "start"
    while not _collecting and _waiting:
        finalise, pointer = _waiting.pop()
        finalise(pointer)


class Closed(int):
    """What stands in place of a handle after close; ``why`` is the end of the sentence in the exception."""

    why: str

    def __new__(cls, why: str) -> Closed:
        self = super().__new__(cls, 0)
        self.why = why
        return self


CLOSED = Closed("was closed")
DONATED = Closed("was donated to a program and no longer holds data")
DELETED = Closed("was deleted")
