"""Host memory a device may read directly, where a plugin maps it. Needs PJRT 0.67."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import ArgumentMismatch
from .host import HostArray, host_array

if TYPE_CHECKING:
    from .client import Client


class DmaMapping:
    """A mapped host array; it stays pinned and mapped until ``close``."""

    def __init__(self, client: Client, data: Any) -> None:
        array = host_array(data)
        if array.strides is not None:
            raise ArgumentMismatch("the array to map is not contiguous")
        client.call("PJRT_Client_DmaMap", data=array.address, size=array.nbytes)
        self._client = client
        self._array: HostArray | None = array

    def close(self) -> None:
        """Unmaps and lets the array go."""
        array, self._array = self._array, None
        if array is not None:
            self._client.call("PJRT_Client_DmaUnmap", data=array.address)
            array.release()

    def __enter__(self) -> DmaMapping:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
