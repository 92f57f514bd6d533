"""A client: the connection to a plugin's devices, and the maker of buffers and executables.

Takes a plugin and options. Everything made by it keeps its C object alive; ``close`` ends what the user can do through
it at once, and the C object goes when the last buffer, executable or view made by it is gone.
"""

from __future__ import annotations

import atexit
import ctypes
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .abi import Frame, layout, read_pointers
from .api import Api, forkable, getter
from .device import Device, Memory
from .dtypes import DType
from .errors import ArgumentMismatch, HandleClosed, PluginNotFound
from .event import EventCalls
from .fastpath import fast, template
from .handle import CLOSED, Closed, handle_class
from .layouts import LayoutConversion, layout_conversion
from .plugin import Plugin
from .spec import Spec
from .values import Value, encode

if TYPE_CHECKING:
    from .buffer import Buffer
    from .cache import CompileCache
    from .executable import Executable
    from .kv import KeyValueStore
    from .options import CompileOptions
    from .topology import Topology

# What a CUDA or ROCm client is created with unless told otherwise: another framework may share the device.
_GPU_OPTIONS: dict[str, Value] = {"preallocate": False, "memory_fraction": 0.75}

_open: weakref.WeakSet[Client] = weakref.WeakSet()


class Client:
    """A client of one plugin. ``Client("cpu")``, ``Client(path)``, ``Client(plugin)`` or ``Client()``."""

    def __init__(
        self, plugin: Plugin | str | None = None, *, options: Mapping[str, Value] | None = None,
        kv_store: KeyValueStore | None = None,
    ) -> None:  # fmt: skip
        self._handle: int = CLOSED
        self.plugin = plugin if isinstance(plugin, Plugin) else _first_working(plugin)
        self.api: Api = self.plugin.api
        self.plugin.initialize()
        self.options: dict[str, Value] = dict(options or {})
        if self.plugin.platform in ("cuda", "rocm"):
            self.options = _GPU_OPTIONS | self.options
        elif self.plugin.platform == "cpu":
            _check_cpu_options(self.options)
        self._create(kv_store)
        self._specs: dict[tuple[Any, ...], Spec] = {}
        self._devices: dict[int, Device] = {}
        self._memories: dict[int, Memory] = {}
        self._executables: weakref.WeakSet[Executable] = weakref.WeakSet()
        self._calls = Calls(self.api, self._keep)
        self.platform: str = self.platform_name
        _open.add(self)
        forkable.add(self)

    def _create(self, kv_store: KeyValueStore | None) -> None:
        bridge = None
        fields: dict[str, Any] = {"create_options": encode(self.options), "num_options": len(self.options)}
        if kv_store is not None:
            from .kv import KvBridge

            bridge = KvBridge(self.api, kv_store)
            fields |= bridge.fields()
        frame = self.api.call("PJRT_Client_Create", **fields)
        # The bridge is called by the plugin until the client is destroyed: the handle's class holds it.
        kind = handle_class(self.api, "PJRT_Client_Destroy", "client", (self.plugin, bridge), parent=True)
        self._handle = self._keep = kind(frame["client"])

    def __repr__(self) -> str:
        state = "" if self._handle else " closed"
        return f"<Client {self.platform} {self.plugin!r}{state}>"

    def _live(self) -> int:
        handle = self._handle
        if isinstance(handle, Closed):
            raise HandleClosed(f"this client {handle.why}")
        return handle

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return not self._handle

    def close(self) -> None:
        """Ends this client and its executables. Buffers already handed out as arrays stay valid."""
        if self._handle:
            self._handle = CLOSED
            for executable in list(self._executables):
                executable.close()
            for spec in list(self._specs.values()):
                spec.uploads.clear()
            self._specs.clear()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Identity

    @cached_property
    def platform_name(self) -> str:
        """``"cpu"``, ``"cuda"``, ``"rocm"``, ``"tpu"`` …"""
        return self.api.call("PJRT_Client_PlatformName", client=self._live()).text("platform_name")

    @cached_property
    def platform_version(self) -> str:
        """The plugin's own version text."""
        return self.api.call("PJRT_Client_PlatformVersion", client=self._live()).text("platform_version")

    @property
    def process_index(self) -> int:
        """Which of several processes this is."""
        return int(self.api.call("PJRT_Client_ProcessIndex", client=self._live())["process_index"])

    # Devices and memories

    def _device(self, pointer: int) -> Device:
        if pointer not in self._devices:
            self._devices[pointer] = Device(self, pointer)
        return self._devices[pointer]

    def _memory(self, pointer: int) -> Memory:
        if pointer not in self._memories:
            self._memories[pointer] = Memory(self, pointer)
        return self._memories[pointer]

    @cached_property
    def all_devices(self) -> tuple[Device, ...]:
        """Every device of every process."""
        frame = self.api.call("PJRT_Client_Devices", client=self._live())
        return tuple(self._device(p) for p in read_pointers(frame["devices"], frame["num_devices"]))

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """The devices of this process."""
        frame = self.api.call("PJRT_Client_AddressableDevices", client=self._live())
        pointers = read_pointers(frame["addressable_devices"], frame["num_addressable_devices"])
        return tuple(self._device(p) for p in pointers)

    @cached_property
    def memories(self) -> tuple[Memory, ...]:
        """Every memory of this process's devices."""
        frame = self.api.call("PJRT_Client_AddressableMemories", client=self._live())
        pointers = read_pointers(frame["addressable_memories"], frame["num_addressable_memories"])
        return tuple(self._memory(p) for p in pointers)

    def lookup_device(self, id: int) -> Device:
        """The device with that id; ``NotFound`` or ``InvalidArgument`` where there is none."""
        return self._device(self.api.call("PJRT_Client_LookupDevice", client=self._live(), id=id)["device"])

    def lookup_local(self, hardware_id: int) -> Device:
        """The device of this process with that hardware ordinal."""
        frame = self.api.call("PJRT_Client_LookupAddressableDevice", client=self._live(), local_hardware_id=hardware_id)
        return self._device(frame["addressable_device"])

    def default_device_assignment(self, replicas: int, partitions: int = 1) -> list[list[int]]:
        """Device ids by replica and partition, as the plugin would choose them."""
        if not (0 < replicas < 2**31 and 0 < partitions < 2**31):
            raise ArgumentMismatch(f"{replicas} replicas of {partitions} partitions cannot be assigned to devices")
        out = (ctypes.c_int * (replicas * partitions))()
        self.api.call(
            "PJRT_Client_DefaultDeviceAssignment", client=self._live(), num_replicas=replicas,
            num_partitions=partitions, default_assignment_size=len(out), default_assignment=out,
        )  # fmt: skip
        return [list(out[row * partitions : (row + 1) * partitions]) for row in range(replicas)]

    def _spec(
        self, dtype: DType, shape: tuple[int, ...], device: Device, memory: Memory | None = None,
        layout: tuple[int, ...] | None = None,
    ) -> Spec:  # fmt: skip
        if memory is not None and memory is device.default_memory:
            memory = None
        key = (dtype, shape, device._pointer, memory and memory._pointer, layout)
        found = self._specs.get(key)
        if found is None:
            # setdefault, so that two threads asking at once get the same object.
            found = self._specs.setdefault(key, Spec(self, dtype, shape, device, memory, layout))
        return found

    @cached_property
    def layout_conversion(self) -> LayoutConversion:
        """Whether this plugin reorders elements where layouts differ (asked of it once, when it first matters)."""
        return layout_conversion(self)

    # Buffers: the work is in `create`

    def put(
        self, data: Any, device: Device | None = None, *, dtype: Any = None, shape: Sequence[int] | None = None,
        memory: Memory | None = None, layout: Sequence[int] | None = None, copy: bool | None = True,
    ) -> Buffer:  # fmt: skip
        """Uploads an array. ``copy=None`` shares host memory where device and alignment allow, ``False`` insists."""
        from . import create

        return create.put(self, data, device, dtype, shape, memory, layout, copy)

    def empty(
        self, dtype: Any, shape: Sequence[int], device: Device | None = None, *, memory: Memory | None = None,
    ) -> Buffer:  # fmt: skip
        """A buffer whose contents are not set."""
        from . import create

        return create.empty(self, dtype, shape, device, memory)

    def from_dlpack(self, data: Any, device: Device | None = None) -> Buffer:
        """Adopts an array of another library without a copy; the library's memory is released with the buffer."""
        from . import dlpack

        return dlpack.adopt(self, data, device)

    # Programs: the work is in `compiling`

    def compile(
        self, program: str | bytes, options: CompileOptions | None = None, *, format: str | None = None,
        cache: CompileCache | None = None,
    ) -> Executable:  # fmt: skip
        """Compiles StableHLO text or bytecode (``"mlir"``) or an HLO proto (``format="hlo"``) and loads it."""
        from . import compiling

        return compiling.compile(self, program, options, format, cache)

    def load(self, executable: bytes, options: CompileOptions | None = None) -> Executable:
        """Loads what ``Executable.serialize`` or ``Topology.compile`` gave, optionally with other options."""
        from . import compiling

        return compiling.load(self, executable, options)

    @cached_property
    def topology(self) -> Topology:
        """The topology of this client's devices."""
        from .topology import Topology

        return Topology.of_client(self)

    def update_process_info(self, infos: Sequence[tuple[int, int, str]]) -> None:
        """Tells the plugin about other processes: (task, incarnation, state); needs PJRT 0.73."""
        from .kv import process_infos

        frames = process_infos(infos)
        self.api.call(
            "PJRT_Client_UpdateGlobalProcessInfo", client=self._live(), process_infos=frames,
            num_process_infos=len(infos),
        )  # fmt: skip

    def _poison(self) -> None:
        for spec in list(self._specs.values()):
            spec.uploads.clear()
        for executable in list(self._executables):
            executable._poison()

    def call(self, name: str, **fields: Any) -> Frame:
        """An entry that may allocate: this client filled in where it is asked for, allocation failures explained."""
        from .diagnose import explained

        handle = self._live()
        if "client" in layout(f"{name}_Args").fields:
            fields["client"] = handle
        with explained(self):
            return self.api.call(name, **fields)


def _check_cpu_options(options: Mapping[str, Value]) -> None:
    """Refuses what the plugins for the CPU would end the process over."""
    count = options.get("cpu_device_count", 1)
    if isinstance(count, int) and not 1 <= count < 2**31:
        raise ArgumentMismatch(f"cpu_device_count = {count}: a client has at least one device, and fewer than 2**31")


class Calls:
    """What buffers of one client need on their fast paths, bound once."""

    def __init__(self, api: Api, owner: int) -> None:
        self.handle = handle_class(api, "PJRT_Buffer_Destroy", "buffer", owner)
        self.events = EventCalls(api, owner)
        self.ready_event = getter(api, "PJRT_Buffer_ReadyEvent", "buffer", "event")
        self.pointer = getter(api, "PJRT_Buffer_UnsafePointer", "buffer", "buffer_pointer")
        self.is_deleted = getter(api, "PJRT_Buffer_IsDeleted", "buffer", "is_deleted")
        self.claim = getter(api, "PJRT_Buffer_IncreaseExternalReferenceCount", "buffer")
        self.disclaim = getter(api, "PJRT_Buffer_DecreaseExternalReferenceCount", "buffer")
        self.copy_out = _reader(api, self.events) if fast is not None else self._copy_out

    def _copy_out(self, handle: int, size: int) -> bytes:
        """The contents of a buffer in host memory, once they are there."""
        self.settle(handle)
        return ctypes.string_at(self.pointer(handle), size)

    def settle(self, handle: int) -> None:
        """Waits for a buffer's contents; raises the error their computation ended with."""
        self.events.settle(self.events.handle(self.ready_event(handle)))


def _reader(api: Api, events: EventCalls) -> Any:
    names = ("PJRT_Buffer_ReadyEvent", "PJRT_Event_Await", "PJRT_Buffer_UnsafePointer")
    frames = [api.frame(f"{name}_Args") for name in names]
    ready, wait, pointer = (frame.layout.fields for frame in frames)
    places = (
        ready["buffer"].offset, ready["event"].offset, wait["event"].offset, pointer["buffer"].offset,
        pointer["buffer_pointer"].offset,
    )  # fmt: skip
    templates = [template(api.table.pointer(name), frame) for name, frame in zip(names, frames, strict=True)]
    return fast.Reader(*templates, places, events.handle, api.take_error)


def _first_working(source: str | None) -> Plugin:
    """The plugin asked for; with nothing asked, the first candidate whose devices are there."""
    import os

    from .discovery import VARIABLE, candidates
    from .errors import PjrtError

    if source is not None or os.environ.get(VARIABLE):
        return Plugin(source)
    reasons = []
    for candidate in candidates():
        try:
            plugin = Plugin(candidate.path)
            if plugin.platform != "cpu":
                probe = Client(plugin)
                probe.close()
            return plugin
        except PjrtError as error:
            reasons.append(f"{candidate.path}: {error}")
    if reasons:
        raise PluginNotFound("no plugin works here:\n  " + "\n  ".join(reasons))
    return Plugin()


@atexit.register
def _close_all() -> None:
    for client in list(_open):
        client.close()
