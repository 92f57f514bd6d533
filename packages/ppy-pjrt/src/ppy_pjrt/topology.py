"""Topologies: descriptions of devices that need not be there, to compile for ahead of time.

``Topology.create(plugin, "h200", target_config=TEXT, topology="1x1x1")`` makes one for an absent GPU; what it
compiles is serialised here and loaded where the device is.
"""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING

from .abi import read_bytes, read_pointers
from .compiling import program_frame
from .device import DeviceDescription
from .errors import HandleClosed
from .handle import CLOSED, Closed, handle_class
from .options import CompileOptions, encoded
from .plugin import Plugin
from .program import CompiledProgram, release
from .values import Value, decode, encode

if TYPE_CHECKING:
    from .client import Client
    from .executable import Executable


class Topology:
    """A set of devices as the compiler sees them."""

    def __init__(self, plugin: Plugin, handle: int, keep: object = None) -> None:
        self.plugin = plugin
        self.api = plugin.api
        self._handle = handle
        self._keep = keep

    @classmethod
    def create(cls, plugin: Plugin, name: str = "", **options: Value) -> Topology:
        """A topology by the plugin's name for it, with the plugin's own options."""
        plugin.initialize()
        frame = plugin.api.call(
            "PJRT_TopologyDescription_Create", topology_name=name.encode(), create_options=encode(options),
            num_options=len(options),
        )  # fmt: skip
        return cls._owned(plugin, frame["topology"])

    @classmethod
    def of_client(cls, client: Client) -> Topology:
        """The topology of a client's devices; it belongs to the client and keeps it alive."""
        frame = client.api.call("PJRT_Client_TopologyDescription", client=client._live())
        return cls(client.plugin, frame["topology"], client._keep)

    @classmethod
    def deserialize(cls, plugin: Plugin, blob: bytes) -> Topology:
        """A topology from ``serialize``; needs PJRT 0.75."""
        plugin.initialize()
        frame = plugin.api.call("PJRT_TopologyDescription_Deserialize", serialized_topology=blob)
        return cls._owned(plugin, frame["topology"])

    @classmethod
    def _owned(cls, plugin: Plugin, pointer: int) -> Topology:
        return cls(
            plugin,
            handle_class(plugin.api, "PJRT_TopologyDescription_Destroy", "topology", plugin, parent=True)(pointer),
        )

    def _live(self) -> int:
        if isinstance(self._handle, Closed):
            raise HandleClosed(f"this topology {self._handle.why}")
        return self._handle

    def close(self) -> None:
        """Gives it up."""
        self._handle = CLOSED

    def __enter__(self) -> Topology:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def platform_name(self) -> str:
        """The platform of its devices."""
        return self.api.call("PJRT_TopologyDescription_PlatformName", topology=self._live()).text("platform_name")

    @property
    def platform_version(self) -> str:
        """The plugin's version text."""
        return self.api.call("PJRT_TopologyDescription_PlatformVersion", topology=self._live()).text("platform_version")

    @cached_property
    def devices(self) -> tuple[DeviceDescription, ...]:
        """Descriptions of its devices."""
        frame = self.api.call("PJRT_TopologyDescription_GetDeviceDescriptions", topology=self._live())
        places = read_pointers(frame["descriptions"], frame["num_descriptions"])
        return tuple(DeviceDescription(self.api, place, self, self.plugin) for place in places)

    @property
    def attributes(self) -> dict[str, Value]:
        """What the plugin says about it."""
        frame = self.api.call("PJRT_TopologyDescription_Attributes", topology=self._live())
        return decode(frame["attributes"], frame["num_attributes"])

    @property
    def fingerprint(self) -> int:
        """A number that differs where compiled programs would (CPU features included); needs PJRT 0.101."""
        return int(self.api.call("PJRT_TopologyDescription_Fingerprint", topology=self._live())["fingerprint"])

    def memory_kind_ids(self) -> tuple[int, ...]:
        """Numbers of its memory kinds; needs PJRT 0.110."""
        frame = self.api.call("PJRT_TopologyDescription_GetMemorySpaceKindIds", topology=self._live())
        count: int = frame["num_memory_space_kind_ids"]
        raw = read_bytes(frame["memory_space_kind_ids"], 4 * count)
        return tuple((ctypes.c_int * count).from_buffer_copy(raw)) if count else ()

    def serialize(self) -> bytes:
        """The topology as bytes."""
        frame = self.api.call("PJRT_TopologyDescription_Serialize", topology=self._live())
        blob = frame.bytes("serialized_bytes")
        release(frame["serialized_topology_deleter"], frame["serialized_topology"])
        return blob

    def compile(
        self, program: str | bytes, options: CompileOptions | None = None, *, format: str | None = None,
        client: Client | None = None,
    ) -> Unloaded:  # fmt: skip
        """Compiles for these devices, present or not; with a client, its device may be used for autotuning."""
        wanted = encoded(options, program)
        frame = self.api.call(
            "PJRT_Compile", topology=self._live(), program=program_frame(self.api, program, format),
            compile_options=wanted, client=client._live() if client else 0,
        )  # fmt: skip
        return Unloaded(self, frame["executable"])


class Unloaded(CompiledProgram):
    """A program compiled for a topology: asked, serialised, and loaded by a client that has the devices."""

    def __init__(self, topology: Topology, pointer: int) -> None:
        super().__init__(topology.api, topology)
        self._handle: int = handle_class(topology.api, "PJRT_Executable_Destroy", "executable", topology)(pointer)

    def _inner(self) -> int:
        return self._handle

    def load(self, client: Client) -> Executable:
        """Loads it into a client of the same plugin."""
        from .executable import Executable

        return Executable(client, self._loaded(client))

    def _loaded(self, client: Client) -> int:
        frame = client.call("PJRT_Executable_DeserializeAndLoad", serialized_executable=self.serialize())
        return int(frame["loaded_executable"])
