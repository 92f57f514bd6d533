"""Events: something asynchronous that finishes, with or without an error.

An ``Event`` can be waited for (with a time-out that is honoured, the GIL released, Ctrl-C heard), awaited in asyncio,
given callbacks, and, where the plugin can create events, set by hand from another thread.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import os
import threading
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from .api import Api, getter
from .errors import DeadlineExceeded, FailedPrecondition, HandleClosed, PjrtError, code_number
from .fastpath import fast
from .handle import CLOSED, Closed, handle_class

if TYPE_CHECKING:
    from .plugin import Plugin

DoneCallback = Callable[["PjrtError | None"], object]

_TRAMPOLINE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_tokens = itertools.count(1)
_pending: dict[int, tuple[Api, DoneCallback, bool]] = {}


def _fire(error: int | None, token: int) -> None:
    api, callback, _ = _pending[token]
    try:
        callback(api.take_error(error) if error else None)
    finally:  # what a callback raises, ctypes reports to `sys.unraisablehook`
        # Only now: what is pending keeps the interpreter from ending under a plugin's thread.
        _pending.pop(token, None)


_trampoline = _TRAMPOLINE(_fire)
_trampoline_address = ctypes.cast(_trampoline, ctypes.c_void_p).value


# One entry per thread that waits for a device (those inside the compiled fast path are counted there).
_waiting: list[int] = []


def _busy() -> bool:
    if _waiting or (fast is not None and fast.waiting()):
        return True
    return any(device for _, _, device in list(_pending.values()))


@atexit.register
def _drain() -> None:
    """Lets running device work finish that a callback or a daemon thread waits for.

    A plugin's thread must not enter a finalised interpreter, nor run on while the process takes its globals down.
    """
    deadline = time.monotonic() + 10
    waited = False
    while _busy() and time.monotonic() < deadline:
        waited = True
        time.sleep(0.001)
    if waited:
        time.sleep(0.02)  # the last callback has returned to Python; it still has to return to the plugin


def _forget() -> None:
    """In a forked child nothing finishes that was pending in the parent."""
    _pending.clear()
    _waiting.clear()
    if fast is not None:
        fast.forget_waiting()


os.register_at_fork(after_in_child=_forget)


class EventCalls:
    """The event entries of one plugin, bound once."""

    def __init__(self, api: Api, owner: object = None) -> None:
        self.api = api
        self.handle = handle_class(api, "PJRT_Event_Destroy", "event", owner)
        self.is_ready = getter(api, "PJRT_Event_IsReady", "event", "is_ready")
        self._await = getter(api, "PJRT_Event_Await", "event")

    def settle(self, handle: int) -> None:
        """Waits for an event and raises the error it finished with."""
        _waiting.append(handle)
        try:
            self._await(handle)
        finally:
            _waiting.pop()


class Event:
    """A PJRT event."""

    __slots__ = ("__weakref__", "_calls", "_handle", "_settable", "_unset")

    def __init__(self, calls: EventCalls, pointer: int, *, settable: bool = False) -> None:
        self._calls = calls
        self._handle: int = calls.handle(pointer)
        self._settable = settable
        # Taken by whoever sets the event: a second time would end the process.
        self._unset = [True] if settable else []

    @classmethod
    def create(cls, plugin: Plugin) -> Event:
        """An event of one's own, to be ``set`` later; needs PJRT 0.89."""
        plugin.initialize()
        return cls(EventCalls(plugin.api, plugin), plugin.api.call("PJRT_Event_Create")["event"], settable=True)

    def _live(self) -> int:
        handle = self._handle
        if isinstance(handle, Closed):
            raise HandleClosed(f"this event {handle.why}")
        return handle

    def done(self) -> bool:
        """Whether it has finished."""
        return bool(self._calls.is_ready(self._live()))

    def error(self) -> PjrtError | None:
        """The error it finished with; None where it succeeded. Only for a finished event."""
        if not self.done():
            raise FailedPrecondition("this event has not finished: wait for it before asking for its error")
        try:
            self._calls.api.call("PJRT_Event_Error", event=self._live())
        except PjrtError as error:
            return error
        return None

    def wait(self, timeout: float | None = None) -> None:
        """Waits until it has finished and raises the error it finished with."""
        handle = self._live()
        if self._calls.is_ready(handle):
            self._calls.settle(handle)
            return
        if timeout is None and not self._settable:
            # Work of a device ends by itself; an event of one's own may never, so that wait hears Ctrl-C.
            self._calls.settle(handle)
            return
        finished = threading.Event()
        outcome: list[PjrtError | None] = [None]

        def note(error: PjrtError | None) -> None:
            outcome[0] = error
            finished.set()

        self.add_done_callback(note)
        if not finished.wait(timeout):
            raise DeadlineExceeded(f"the event had not finished after {timeout} s")
        if outcome[0] is not None:
            raise outcome[0]

    result = wait

    def add_done_callback(self, callback: DoneCallback) -> None:
        """Calls ``callback(error or None)`` when it finishes, on the thread that finishes it (at once if it has)."""
        token = next(_tokens)
        _pending[token] = (self._calls.api, callback, not self._settable)
        try:
            self._calls.api.call("PJRT_Event_OnReady", event=self._live(), callback=_trampoline_address, user_arg=token)
        except BaseException:
            _pending.pop(token, None)
            raise

    def set(self, error: str | int = 0, message: str = "") -> None:
        """Finishes an event made by ``create``, once, with an error where a status is given."""
        status = code_number(error) if error else 0
        handle = self._live()
        try:
            self._unset.pop()
        except IndexError:
            why = "was set already" if self._settable else "is the plugin's: only an event made by create can be set"
            raise FailedPrecondition(f"this event {why}") from None
        self._calls.api.call(
            "PJRT_Event_Set", event=handle, error_code=status, error_message=message.encode()
        )

    def __await__(self) -> Generator[Any, None, None]:
        import asyncio

        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def settle(error: PjrtError | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

        def finished(error: PjrtError | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, error)

        self.add_done_callback(finished)
        return (yield from future.__await__())

    def close(self) -> None:
        """Gives the event up; nothing waits for it any more."""
        self._handle = CLOSED

    def __enter__(self) -> Event:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
