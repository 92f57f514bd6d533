"""Key-value stores, through which the processes of one multi-process client find each other.

A store has ``get`` (waits, with a time-out), ``try_get`` and ``put``. ``KvBridge`` turns one into the C callbacks of a
client; an exception of a store becomes the plugin's error, never a crash.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from .abi import Frame, Frames, enum, layout
from .api import Api
from .errors import ArgumentMismatch, DeadlineExceeded, InvalidArgument, NotFound, PjrtError, code_number


class KeyValueStore(Protocol):
    """What a client needs of a store. Keys and values are bytes."""

    def get(self, key: bytes, timeout: float) -> bytes:
        """The value, waiting up to ``timeout`` seconds; ``DeadlineExceeded`` where it does not come."""

    def try_get(self, key: bytes) -> bytes:
        """The value now; ``NotFound`` where there is none."""

    def put(self, key: bytes, value: bytes) -> None:
        """Sets a value."""


class InMemoryStore:
    """A store for the threads of one process."""

    def __init__(self) -> None:
        self._values: dict[bytes, bytes] = {}
        self._changed = threading.Condition()

    def get(self, key: bytes, timeout: float) -> bytes:
        """Waits for a value."""
        with self._changed:
            if not self._changed.wait_for(lambda: key in self._values, timeout):
                raise DeadlineExceeded(f"key {key!r} was not set within {timeout} s")
            return self._values[key]

    def try_get(self, key: bytes) -> bytes:
        """A value that is there."""
        with self._changed:
            if key not in self._values:
                raise NotFound(f"key {key!r} is not set")
            return self._values[key]

    def put(self, key: bytes, value: bytes) -> None:
        """Sets a value and wakes who waits for it."""
        with self._changed:
            self._values[key] = value
            self._changed.notify_all()


class FileStore:
    """A store in a folder that all processes see. Writes are atomic; waiting polls."""

    def __init__(self, folder: str | os.PathLike[str], poll: float = 0.01) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._poll = poll

    def _path(self, key: bytes) -> Path:
        return self.folder / hashlib.sha256(key).hexdigest()

    def get(self, key: bytes, timeout: float) -> bytes:
        """Waits for a value."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return self.try_get(key)
            except NotFound:
                if time.monotonic() >= deadline:
                    raise DeadlineExceeded(f"key {key!r} was not set within {timeout} s") from None
                time.sleep(self._poll)

    def try_get(self, key: bytes) -> bytes:
        """A value that is there."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            raise NotFound(f"key {key!r} is not set") from None

    def put(self, key: bytes, value: bytes) -> None:
        """Sets a value: readers see all of it or nothing."""
        handle, name = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(value)
            os.replace(name, self._path(key))
        except BaseException:
            os.unlink(name)
            raise


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_MAKE_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t)

# Values handed to a plugin, until its deleter call returns them.
_lent: dict[int, object] = {}


def _take_back(address: int) -> None:
    _lent.pop(address, None)


_take_back_pointer = _DELETER(_take_back)
_take_back_address = ctypes.cast(_take_back_pointer, ctypes.c_void_p).value


class KvBridge:
    """The three callbacks of one client. It must live as long as the client; ``calls`` counts what was asked."""

    def __init__(self, api: Api, store: KeyValueStore) -> None:
        missing = [name for name in ("get", "try_get", "put") if not callable(getattr(store, name, None))]
        if missing:
            raise ArgumentMismatch(f"a {type(store).__name__} is no key-value store: it has no {', '.join(missing)}")
        self._api = api
        self._store = store
        self.calls = 0
        self._callbacks = [_CALLBACK(self._get), _CALLBACK(self._put), _CALLBACK(self._try_get)]

    def fields(self) -> dict[str, Any]:
        """What goes into ``PJRT_Client_Create_Args``."""
        names = ("kv_get_callback", "kv_put_callback", "kv_try_get_callback")
        found = {n: ctypes.cast(c, ctypes.c_void_p).value for n, c in zip(names, self._callbacks, strict=True)}
        if self._api.frame("PJRT_Client_Create_Args").layout.fields["kv_try_get_callback"].low > self._api.minor:
            del found["kv_try_get_callback"]
        return found

    def _get(self, address: int) -> int | None:
        frame = Frame.at(layout("PJRT_KeyValueGetCallback_Args"), address)
        seconds = frame["timeout_in_ms"] / 1000
        return self._answer(frame, lambda: _lend(frame, self._store.get(frame.bytes("key"), seconds)))

    def _try_get(self, address: int) -> int | None:
        frame = Frame.at(layout("PJRT_KeyValueTryGetCallback_Args"), address)
        return self._answer(frame, lambda: _lend(frame, self._store.try_get(frame.bytes("key"))))

    def _put(self, address: int) -> int | None:
        frame = Frame.at(layout("PJRT_KeyValuePutCallback_Args"), address)
        return self._answer(frame, lambda: self._store.put(frame.bytes("key"), frame.bytes("value")))

    def _answer(self, frame: Frame, act: Any) -> int | None:
        self.calls += 1
        try:
            act()
        except BaseException as error:
            code = error.code if isinstance(error, PjrtError) else "INTERNAL"
            text = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
            # `callback_error` is a pointer to the plugin's function pointer.
            make = _MAKE_ERROR(ctypes.c_void_p.from_address(frame["callback_error"]).value or 0)
            made: int | None = make(code_number(code), text, len(text))
            return made
        return None


def _lend(frame: Frame, value: bytes) -> None:
    raw = ctypes.create_string_buffer(value, max(len(value), 1))
    address = ctypes.addressof(raw)
    _lent[address] = raw
    frame["value"] = address
    frame["value_size"] = len(value)
    frame["value_deleter_callback"] = _take_back_address


def process_infos(infos: Sequence[tuple[int, int, str]]) -> Frames:
    """The C form of (task, incarnation, state) records."""
    states = {name.removeprefix("k").lower(): value for name, (value, _) in enum("PJRT_ProcessState").items()}
    frames = Frames(layout("PJRT_ProcessInfo"), len(infos))
    for frame, (task, incarnation, state) in zip(frames.items, infos, strict=True):
        if state.lower() not in states:
            raise InvalidArgument(f"{state!r} is no process state; there are {', '.join(states)}")
        frame["struct_size"] = frame.layout.size
        frame["task_id"], frame["incarnation_id"], frame["state"] = task, incarnation, states[state.lower()]
    return frames
