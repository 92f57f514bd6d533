"""A key-value store over TCP: one process serves, all connect. Time-outs are honoured on both sides.

The protocol is length-prefixed binary: a request is one letter, a time-out in milliseconds, key and value; an answer
one letter and a value. A server serves each connection in a daemon thread and forgets everything when closed.
"""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
from typing import cast

from .errors import DataLoss, DeadlineExceeded, NotFound, Unavailable
from .kv import InMemoryStore

_HEAD = struct.Struct("!cIII")
_ANSWER = struct.Struct("!cI")
_LIMIT = 1 << 30


class TcpServer:
    """Serves a store; ``address`` is what clients connect to. With ``token``, connections must present it first."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, token: bytes = b"") -> None:
        self.store = InMemoryStore()
        self._server = _Server((host, port), _Handler)
        self._server.owner = self
        self.token = token
        self.address: tuple[str, int] = self._server.server_address[:2]  # type: ignore[assignment]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True, name="ppy-pjrt-kv"
        )
        self._thread.start()

    def close(self) -> None:
        """Stops serving."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> TcpServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    owner: TcpServer


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        owner = cast(_Server, self.server).owner
        connection: socket.socket = self.request
        try:
            if _receive(connection, len(owner.token)) != owner.token:
                return
            while True:
                kind, timeout, key_size, value_size = _HEAD.unpack(_receive(connection, _HEAD.size))
                if max(key_size, value_size) > _LIMIT:
                    return
                key, value = _receive(connection, key_size), _receive(connection, value_size)
                connection.sendall(_serve(owner.store, kind, timeout / 1000, key, value))
        except (ConnectionError, OSError):
            return


def _serve(store: InMemoryStore, kind: bytes, timeout: float, key: bytes, value: bytes) -> bytes:
    try:
        if kind == b"P":
            store.put(key, value)
            return _ANSWER.pack(b"K", 0)
        found = store.get(key, timeout) if kind == b"G" else store.try_get(key)
        return _ANSWER.pack(b"K", len(found)) + found
    except NotFound:
        return _ANSWER.pack(b"N", 0)
    except DeadlineExceeded:
        return _ANSWER.pack(b"T", 0)


def _receive(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 1 << 20))
        if not part:
            raise ConnectionError("the connection ended")
        parts += part
    return bytes(parts)


class TcpStore:
    """A store on a ``TcpServer``. Each thread has its own connection, so one may wait while another writes."""

    def __init__(self, address: tuple[str, int], *, connect_timeout: float = 10.0, token: bytes = b"") -> None:
        self._address = address
        self._connect_timeout = connect_timeout
        self._token = token
        self._local = threading.local()

    def _connection(self) -> socket.socket:
        found: socket.socket | None = getattr(self._local, "connection", None)
        if found is None:
            try:
                found = socket.create_connection(self._address, self._connect_timeout)
            except OSError as error:
                raise Unavailable(f"no key-value server answers at {self._address}: {error}") from None
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            found.sendall(self._token)
            self._local.connection = found
        return found

    def _ask(self, kind: bytes, key: bytes, value: bytes = b"", timeout: float = 0.0) -> bytes:
        connection = self._connection()
        try:
            # The server keeps the time; the socket's own limit only catches a dead server.
            connection.settimeout(timeout + self._connect_timeout)
            connection.sendall(
                _HEAD.pack(kind, min(round(timeout * 1000), 0xFFFF_FFFF), len(key), len(value)) + key + value
            )
            status, size = _ANSWER.unpack(_receive(connection, _ANSWER.size))
            found = _receive(connection, size)
        except OSError as error:
            self._local.connection = None
            connection.close()
            raise Unavailable(f"the key-value server at {self._address} went away: {error}") from None
        if status == b"N":
            raise NotFound(f"key {key!r} is not set")
        if status == b"T":
            raise DeadlineExceeded(f"key {key!r} was not set within {timeout} s")
        if status != b"K":
            raise DataLoss(f"the key-value server at {self._address} answered {status!r}")
        return found

    def get(self, key: bytes, timeout: float) -> bytes:
        """Waits for a value."""
        return self._ask(b"G", key, timeout=timeout)

    def try_get(self, key: bytes) -> bytes:
        """A value that is there."""
        return self._ask(b"T", key)

    def put(self, key: bytes, value: bytes) -> None:
        """Sets a value."""
        self._ask(b"P", key, value)
