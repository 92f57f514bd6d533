"""Devices, memories and their descriptions: read once, then plain attributes.

They belong to a client (or topology) and keep its C object alive; they need no closing.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .abi import read_pointers
from .api import Api
from .errors import Unsupported, code_number
from .handle import handle_class
from .program import release
from .values import Value, decode, encode

if TYPE_CHECKING:
    from .client import Client
    from .plugin import Plugin


class DeviceDescription:
    """What a device is, whether or not it is there."""

    def __init__(self, api: Api, pointer: int, owner: object, plugin: Plugin | None = None) -> None:
        self._api = api
        self._plugin = plugin
        self._description = pointer
        self._owner = owner

    def _text(self, entry: str, field: str) -> str:
        return self._api.call(entry, device_description=self._description).text(field)

    @cached_property
    def id(self) -> int:
        """The device's id, unique over all processes."""
        return int(self._api.call("PJRT_DeviceDescription_Id", device_description=self._description)["id"])

    @cached_property
    def process_index(self) -> int:
        """The process the device belongs to."""
        frame = self._api.call("PJRT_DeviceDescription_ProcessIndex", device_description=self._description)
        return int(frame["process_index"])

    @cached_property
    def kind(self) -> str:
        """The vendor's name of the device model."""
        return self._text("PJRT_DeviceDescription_Kind", "device_kind")

    @cached_property
    def debug_string(self) -> str:
        """The plugin's long form."""
        return self._text("PJRT_DeviceDescription_DebugString", "debug_string")

    @cached_property
    def _string(self) -> str:
        return self._text("PJRT_DeviceDescription_ToString", "to_string")

    def __str__(self) -> str:
        return self._string

    @cached_property
    def attributes(self) -> dict[str, Value]:
        """Static attributes (core count, compute capability, coordinates …)."""
        frame = self._api.call("PJRT_DeviceDescription_Attributes", device_description=self._description)
        return decode(frame["attributes"], frame["num_attributes"])

    @cached_property
    def memory_kinds(self) -> tuple[tuple[str, int], ...]:
        """Kind and number of each memory, the default first, whether or not the device is there."""
        if self._plugin is None:
            raise Unsupported("this description belongs to no plugin", "MemoryDescriptions")
        call = self._plugin.call_extension
        entry = "PJRT_DeviceDescription_MemoryDescriptions"
        frame = call("MemoryDescriptions", entry, device_description=self._description)
        found = []
        for place in read_pointers(frame["memory_descriptions"], frame["num_memory_descriptions"]):
            one = call("MemoryDescriptions", "PJRT_MemoryDescription_Kind", memory_description=place)
            found.append((one.text("kind"), int(one["kind_id"])))
        first = frame["default_memory_index"]
        return (
            tuple(found[first : first + 1] + found[:first] + found[first + 1 :]) if first < len(found) else tuple(found)
        )

    @property
    def coords(self) -> tuple[int, ...] | None:
        """Position in the mesh, where the platform has one."""
        found = self.attributes.get("coords")
        return found if isinstance(found, tuple) else None


class Device(DeviceDescription):
    """A device of a client."""

    def __init__(self, client: Client, pointer: int) -> None:
        api = client.api
        description = api.call("PJRT_Device_GetDescription", device=pointer)["device_description"]
        super().__init__(api, description, client._keep, client.plugin)
        self._pointer = pointer
        self.client = client
        self.platform: str = client.platform

    def __repr__(self) -> str:
        return f"<Device {self.platform}:{self.id}>"

    @cached_property
    def is_addressable(self) -> bool:
        """Whether this process can use it."""
        return bool(self._api.call("PJRT_Device_IsAddressable", device=self._pointer)["is_addressable"])

    @cached_property
    def local_hardware_id(self) -> int:
        """The ordinal of the hardware on this host (a CUDA device number, say)."""
        return int(self._api.call("PJRT_Device_LocalHardwareId", device=self._pointer)["local_hardware_id"])

    @cached_property
    def memories(self) -> tuple[Memory, ...]:
        """Every memory this device can address."""
        frame = self._api.call("PJRT_Device_AddressableMemories", device=self._pointer)
        return tuple(self.client._memory(p) for p in read_pointers(frame["memories"], frame["num_memories"]))

    @cached_property
    def default_memory(self) -> Memory:
        """The memory buffers go to when none is named."""
        return self.client._memory(self._api.call("PJRT_Device_DefaultMemory", device=self._pointer)["memory"])

    def memory(self, kind: str) -> Memory:
        """The memory of that kind (``"pinned_host"``, ``"unpinned_host"``, ``"device"``)."""
        for item in self.memories:
            if item.kind == kind:
                return item
        raise Unsupported(f"{self!r} has no memory {kind!r}; it has {', '.join(m.kind for m in self.memories)}", kind)

    def memory_stats(self) -> dict[str, int]:
        """The allocator's state; only what the plugin has set."""
        frame = self._api.call("PJRT_Device_MemoryStats", device=self._pointer)
        names = [name for name in frame.layout.fields if f"{name}_is_set" in frame.layout.fields]
        return {"bytes_in_use": frame["bytes_in_use"]} | {n: frame[n] for n in names if frame[f"{n}_is_set"]}

    def clear_memory_stats(self) -> None:
        """Resets peaks and counts; needs PJRT 0.106."""
        self._api.call("PJRT_Device_ClearMemoryStats", device=self._pointer)

    def live_attributes(self) -> dict[str, Value]:
        """Attributes that change while running; needs PJRT 0.92."""
        frame = self._api.call("PJRT_Device_GetAttributes", device=self._pointer)
        found = decode(frame["attributes"], frame["num_attributes"])
        release(frame["attributes_deleter"], frame["device_attributes"])
        return found

    def poison_execution(
        self, launch_id: int, code: str | int, message: str, payload: dict[str, Value] | None = None
    ) -> bool:
        """Makes the execution with that launch id fail; whether there was one. Needs PJRT 0.85."""
        extra = {"payload": encode(payload), "num_payload": len(payload)} if payload else {}
        frame = self._api.call(
            "PJRT_Device_PoisonExecution", device=self._pointer, launch_id=launch_id, error_code=code_number(code),
            error_message=message.encode(), **extra,
        )  # fmt: skip
        return bool(frame["poisoned"])

    def create_tracking_event(self, description: str) -> TrackingEvent:
        """A marker of outstanding work on this device, for the plugin's own tracking; needs PJRT 0.86."""
        frame = self._api.call(
            "PJRT_Device_CreateAsyncTrackingEvent", device=self._pointer, description=description.encode()
        )
        return TrackingEvent(self._api, frame["event"], self.client._keep)

    def external_stream(self) -> int:
        """The stream on which this device waits for outside work (CUDA: a CUstream)."""
        frame = self.client.plugin.call_extension(
            "Stream", "get_stream", "PJRT_Get_Stream_For_External_Ready_Events_Args", device=self._pointer
        )
        return int(frame["stream"])


class TrackingEvent:
    """Work in progress, as the plugin's tracking sees it; ends at ``close``."""

    def __init__(self, api: Api, pointer: int, owner: object) -> None:
        self._handle: int | None = handle_class(api, "PJRT_AsyncTrackingEvent_Destroy", "event", owner)(pointer)

    def close(self) -> None:
        """Ends it."""
        self._handle = None

    def __enter__(self) -> TrackingEvent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Memory:
    """A memory space of a client."""

    def __init__(self, client: Client, pointer: int) -> None:
        self._api = client.api
        self._pointer = pointer
        self._owner = client._keep
        self.client = client

    def _text(self, entry: str, field: str) -> str:
        return self._api.call(entry, memory=self._pointer).text(field)

    @cached_property
    def id(self) -> int:
        """Its number in the client."""
        return int(self._api.call("PJRT_Memory_Id", memory=self._pointer)["id"])

    @cached_property
    def kind(self) -> str:
        """Its kind: ``"device"``, ``"pinned_host"``, ``"unpinned_host"`` …"""
        return self._text("PJRT_Memory_Kind", "kind")

    @cached_property
    def kind_id(self) -> int:
        """The number of its kind."""
        return int(self._api.call("PJRT_Memory_Kind_Id", memory=self._pointer)["kind_id"])

    @cached_property
    def debug_string(self) -> str:
        """The plugin's long form."""
        return self._text("PJRT_Memory_DebugString", "debug_string")

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """Every device that can address it."""
        frame = self._api.call("PJRT_Memory_AddressableByDevices", memory=self._pointer)
        return tuple(self.client._device(p) for p in read_pointers(frame["devices"], frame["num_devices"]))

    def __repr__(self) -> str:
        return f"<Memory {self.kind}:{self.id}>"
