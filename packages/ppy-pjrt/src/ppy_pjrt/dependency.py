"""Buffers whose use waits for something only the host knows. Needs PJRT 0.88."""

from __future__ import annotations

import ctypes

from .abi import Frame, layout
from .buffer import Buffer
from .errors import HandleClosed, code_number
from .handle import DONATED

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Dependency:
    """Takes a buffer over and gives ``buffer``: the same contents, ready only after ``ready()`` (or failing)."""

    def __init__(self, buffer: Buffer) -> None:
        client = buffer.client
        frame = client.call("PJRT_Buffer_DonateWithControlDependency", buffer=buffer._live())
        self._data: int = frame["callback_data"]
        self._callback: int = frame["dependency_ready_callback"]
        self.buffer = Buffer(buffer._spec, client._calls.handle(frame["out_buffer"]))
        buffer._end(DONATED)

    def _settle(self, code: int, message: str) -> None:
        callback, self._callback = self._callback, 0
        if not callback:
            raise HandleClosed("this dependency was already settled")
        args = Frame(layout("PJRT_Buffer_DonateWithControlDependency_Callback_Args"))
        args["struct_size"], args["callback_data"], args["error_code"] = args.layout.size, self._data, code
        args["error_message"] = message.encode()
        _CALLBACK(callback)(args.address)

    def ready(self) -> None:
        """Lets the buffer be used."""
        self._settle(0, "")

    def fail(self, code: str | int, message: str) -> None:
        """Makes every use of the buffer fail."""
        self._settle(code_number(code), message)
