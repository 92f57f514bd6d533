"""Executables: compiled programs loaded on devices, called like functions.

``exe(x, y)`` checks count, dtype, shape, device and client of every argument with one comparison, uploads what is not
yet a buffer, and returns at once with buffers whose contents arrive later. Nothing is allocated per call but the
results: argument structs are prepared once and pooled, so calls from several threads never share one.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .abi import read_bytes, read_int64s, read_pointers
from .api import forkable
from .buffer import Buffer
from .create import kind_of, upload
from .dtypes import dtype_of_code
from .errors import ArgumentMismatch, ForkedProcess, HandleClosed, PjrtError
from .fastpath import Callable, fast, template
from .handle import CLOSED, DONATED, Closed, handle_class
from .host import view_as
from .layouts import buffer_layout
from .program import CompiledProgram, asking, release
from .signature import TensorType, canonical
from .spec import Spec

if TYPE_CHECKING:
    from .client import Client
    from .device import Device
    from .event import Event
    from .execute import Context

# Compares unequal to every list of specs: the first call, and any after close, takes the careful way.
_UNPREPARED: Any = object()


def new_plan(executable: Executable, inputs: int) -> Any:
    """One prepared call: (memory, pack, zeros, argument struct, words of the results, what to keep)."""
    api = executable.client.api
    handle = executable._live()
    outputs = executable.num_outputs
    # One block holds the row of arguments and the row of results; the heads are the two lists of one row.
    raw = (ctypes.c_char * max(8 * (inputs + outputs), 8))()
    start = ctypes.addressof(raw)
    heads = (ctypes.c_void_p * 2)(start, start + 8 * inputs)
    frame = api.frame(
        "PJRT_LoadedExecutable_Execute_Args", executable=handle, num_devices=1, num_args=inputs,
        options=api.frame("PJRT_ExecuteOptions", context=api.empty_context), argument_lists=ctypes.addressof(heads),
        output_lists=ctypes.addressof(heads) + 8,
    )  # fmt: skip
    pack = struct.Struct(f"{inputs + outputs}N").pack_into
    words = view_as(memoryview(raw), "N")[inputs : inputs + outputs]
    # The plan holds the handle, so that a close in another thread cannot free what runs.
    return raw, pack, (0,) * outputs, ctypes.byref(frame.raw), words, (frame, heads, handle)


class Executable(Callable, CompiledProgram):  # type: ignore[misc]
    """A program loaded on one or more devices of a client."""

    def __init__(self, client: Client, pointer: int, donated: tuple[int, ...] | None = None) -> None:
        self.client = client
        super().__init__(client.api, client._keep)
        kind = handle_class(client.api, "PJRT_LoadedExecutable_Destroy", "executable", client._keep)
        self._handle: int = kind(pointer)
        self._run = client.api.table.entry_by_reference("PJRT_LoadedExecutable_Execute")
        self._new_handle = client._calls.handle
        self._plans: list[Any] = []
        self._in_specs: Any = _UNPREPARED
        self._out_specs: tuple[Spec, ...] | None = None
        # The kind of the only result of a program that donates nothing: the shortest way out of a call.
        self._only_spec: Spec | None = None
        self._donated: tuple[int, ...] | None = donated
        client._executables.add(self)
        forkable.add(self)

    def __repr__(self) -> str:
        return f"<Executable {self.name if self._handle else '(closed)'} on {self.client!r}>"

    def _live(self) -> int:
        handle = self._handle
        if not handle:
            raise HandleClosed(f"this executable {handle.why if isinstance(handle, Closed) else 'was closed'}")
        return handle

    def close(self) -> None:
        """Gives it up; calls already running finish."""
        self._disarm()
        self._in_specs = _UNPREPARED
        self._handle = CLOSED
        self._plans = []

    def _poison(self) -> None:
        self._disarm()
        self._in_specs = _UNPREPARED

    def __enter__(self) -> Executable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Calling

    def _call(self, *given: Any, **named: Any) -> tuple[Buffer, ...]:
        """Runs on one device and gives the results, whose contents may still be on their way."""
        args: Sequence[Any] = given
        if named:
            raise ArgumentMismatch(f"{self.name} takes its arguments by position, not {', '.join(named)} by name")
        try:
            # Handles before kinds: see `Buffer._end`.
            handles = [a._handle for a in args]
            if [a._spec for a in args] != self._in_specs:
                args, handles = self._admit(args)
        except AttributeError:
            args, handles = self._admit(args)
        plans = self._plans
        try:
            plan = plans.pop()
        except IndexError:
            plan = new_plan(self, len(args))
        raw, pack, zeros, argument, words, _ = plan
        pack(raw, 0, *handles, *zeros)
        error = self._run(argument)
        if error:
            raise self._failed(plan, error)
        if (only := self._only_spec) is not None:
            pointer = words[0]
            plans.append(plan)
            return (Buffer(only, self._new_handle(pointer)),)
        pointers = words.tolist()
        plans.append(plan)
        return self._results(pointers, args)

    if fast is None:
        __call__ = _call
    elif TYPE_CHECKING:

        def __call__(self, *args: Any) -> tuple[Buffer, ...]: ...

    def _results(self, pointers: Sequence[int], args: Sequence[Buffer]) -> tuple[Buffer, ...]:
        specs = self._out_specs
        if specs is None:
            results = tuple(self._learn(pointers))
        else:
            new = self._new_handle
            results = tuple([Buffer(spec, new(pointer)) for spec, pointer in zip(specs, pointers)])  # noqa: B905
        if self._donated != ():
            self._mark_donated(args)
        if specs is not None and self._donated == ():
            self._only_spec = specs[0] if len(specs) == 1 else None
            self._prepare_fast(specs)
        return results

    def _prepare_fast(self, specs: tuple[Spec, ...]) -> None:
        """Hands what is known about the program to the compiled call, where there is one."""
        wanted, handle = self._in_specs, self._handle
        if fast is None or wanted is _UNPREPARED or not handle:
            return
        frame, _, _ = new_plan(self, len(wanted))[5]
        fields, calls, api = frame.layout.fields, self.client._calls, self.client.api
        self._arm(
            template(api.table.pointer("PJRT_LoadedExecutable_Execute"), frame),
            bytes(api.frame("PJRT_ExecuteOptions", context=api.empty_context).raw), fields["options"].offset,
            fields["argument_lists"].offset, fields["output_lists"].offset, tuple(map(kind_of, wanted)), specs, handle,
            calls.handle, calls.events.handle,
        )  # fmt: skip
        # A close in another thread may have come between: it stays closed.
        if not self._handle:
            self._disarm()

    def _explain(self, error: int) -> PjrtError:
        from .diagnose import explain

        return explain(self.client, self.client.api.take_error(error))

    def _reset_plans(self) -> None:
        """Prepared calls are made anew: something all of them carry has changed."""
        self._plans = []
        self._disarm()
        if self._out_specs is not None and self._donated == ():
            self._prepare_fast(self._out_specs)

    def _failed(self, plan: Any, error: int) -> PjrtError:
        for pointer in plan[4].tolist():
            if pointer:
                self._new_handle(pointer)
        self._plans.append(plan)
        return self._explain(error)

    def _admit(self, args: Sequence[Any]) -> tuple[list[Buffer], list[int]]:
        """The careful way in: prepares the program, converts arrays, and says what is wrong with an argument."""
        if self.client.api.forked:
            raise ForkedProcess("this executable was loaded before this process was forked")
        wanted: list[Spec] = self._in_specs
        if wanted is _UNPREPARED:
            self._live()
            wanted = self._prepare()
        if len(args) != len(wanted):
            raise ArgumentMismatch(
                f"{self.name} takes {len(wanted)} arguments {self.signature}, {len(args)} were given"
            )
        admitted: list[Buffer] = []
        for value, spec in zip(args, wanted):  # noqa: B905 - the lengths are equal
            if value.__class__ is not Buffer:
                try:
                    value = upload(spec, value)
                except (ArgumentMismatch, HandleClosed) as error:
                    raise self._about(len(admitted), error) from None
            elif value._spec is not spec:
                self._check(len(admitted), value, spec)
            admitted.append(value)
        return admitted, [value._live() for value in admitted]

    def _about(self, index: int, error: PjrtError) -> PjrtError:
        return type(error)(f"argument {index} of {self.name}: {error}")

    def _check(self, index: int, value: Buffer, spec: Spec) -> None:
        """A buffer of another kind than the parameter's: refused with what differs; only the memory may."""
        try:
            value._live()
        except HandleClosed as error:
            raise self._about(index, error) from None
        have = value._spec
        what = f"argument {index} of {self.name}"
        if have.client is not spec.client:
            raise ArgumentMismatch(f"{what} is a buffer of another client ({have})")
        if have.dtype != spec.dtype or have.shape != spec.shape:
            raise ArgumentMismatch(
                f"{what} is {have.dtype}{list(have.shape)}, the program takes {spec.dtype}{list(spec.shape)}"
            )
        if have.device is not spec.device:
            raise ArgumentMismatch(f"{what} is on {have.device!r}, the program runs on {spec.device!r}")
        if have.layout != spec.layout:
            raise ArgumentMismatch(
                f"{what} lies minor-to-major {have.layout}, the program takes {spec.layout} (None is row-major)"
            )

    def _prepare(self) -> list[Spec]:
        devices = self.devices
        if len(devices) > 1:
            raise ArgumentMismatch(
                f"{self.name} runs on {len(devices)} devices: give a row of arguments per device to execute_sharded"
            )
        device = devices[0] if devices else self.client.devices[0]
        wanted = [self.spec_of(item, device, kind) for item, kind in self._parameters]
        self._in_specs = wanted
        # A close in another thread may have come between: it stays closed.
        if not self._handle:
            self._in_specs = _UNPREPARED
        return wanted

    @cached_property
    def _parameters(self) -> list[tuple[TensorType, str | None]]:
        kinds: Sequence[str | None] = ()
        if self.client.api.has("PJRT_Executable_ParameterMemoryKinds"):
            try:
                kinds = self.parameter_memory_kinds()
            except PjrtError:
                kinds = ()
        types = self.signature.parameters
        return list(zip(types, kinds if len(kinds) == len(types) else [None] * len(types), strict=True))

    def spec_of(self, item: TensorType, device: Device, kind: str | None = None) -> Spec:
        """The kind of buffer that a parameter takes on a device."""
        memory = None
        if kind and device.default_memory.kind != kind:
            memory = next((m for m in device.memories if m.kind == kind), None)
        return self.client._spec(item.dtype, item.shape, device, memory, item.layout)

    def _learn(self, pointers: Sequence[int]) -> list[Buffer]:
        results = [self._adopt(self._new_handle(pointer)) for pointer in pointers]
        if not any(self._is_dynamic(result) for result in results):
            self._out_specs = tuple(result._spec for result in results)
        return results

    def _adopt(self, handle: int) -> Buffer:
        """A result whose kind is asked of the plugin, as on the first call."""
        call = self.client.api.call
        dims = call("PJRT_Buffer_Dimensions", buffer=handle)
        shape = read_int64s(dims["dims"], dims["num_dims"])
        dtype = dtype_of_code(call("PJRT_Buffer_ElementType", buffer=handle)["type"])
        device = self.client._device(call("PJRT_Buffer_Device", buffer=handle)["device"])
        memory = self.client._memory(call("PJRT_Buffer_Memory", buffer=handle)["memory"])
        found = buffer_layout(self.client.api, handle)
        order = canonical(found.minor_to_major, shape) if found is not None else None
        return Buffer(self.client._spec(dtype, shape, device, memory, order), handle)

    def _is_dynamic(self, result: Buffer) -> bool:
        try:
            return bool(result.dynamic_dimensions)
        except PjrtError:
            return False

    def _mark_donated(self, args: Sequence[Buffer]) -> None:
        if self._donated is None:
            deleted = self.client._calls.is_deleted
            handles = [a._handle for a in args]
            self._donated = tuple(index for index, handle in enumerate(handles) if handle and deleted(handle))
        for index in self._donated:
            args[index]._end(DONATED)

    # Calling with options, or on several devices

    def execute(self, *args: Any, device: Device | None = None, **options: Any) -> tuple[Buffer, ...]:
        """As a call, with options of ``execute_sharded``; a portable program takes the device here."""
        from .execute import run

        return run(self, [args], device=device, **options)[0]

    def execute_sharded(self, rows: Sequence[Sequence[Any]], **options: Any) -> list[tuple[Buffer, ...]]:
        """Runs on every device: one row of arguments, and one of results, per addressable device."""
        from .execute import run

        return run(self, rows, **options)

    def execute_watched(self, *args: Any, **options: Any) -> tuple[tuple[Buffer, ...], Event]:
        """As ``execute``, with the event of the whole execution (also for programs without results)."""
        from .execute import run_watched

        rows, events = run_watched(self, [args], **options)
        return rows[0], events[0]

    def context(self) -> Context:
        """A context for user data of FFI handlers; given to ``execute``."""
        from .execute import Context

        return Context(self.client.plugin)

    # What only a loaded program has

    def _inner(self) -> int:
        self._live()
        with asking:
            return self._unloaded

    @cached_property
    def _unloaded(self) -> int:
        api = self.client.api
        frame = api.call("PJRT_LoadedExecutable_GetExecutable", loaded_executable=self._live())
        made: int = handle_class(api, "PJRT_Executable_Destroy", "executable", self.client._keep)(frame["executable"])
        return made

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """The devices of this process it is loaded on; empty for a portable program."""
        frame = self.client.api.call("PJRT_LoadedExecutable_AddressableDevices", executable=self._live())
        pointers = read_pointers(frame["addressable_devices"], frame["num_addressable_devices"])
        return tuple(self.client._device(pointer) for pointer in pointers)

    @cached_property
    def logical_ids(self) -> tuple[tuple[int, int], ...]:
        """Replica and partition of each addressable device; needs PJRT 0.96."""
        frame = self.client.api.call("PJRT_LoadedExecutable_AddressableDeviceLogicalIds", executable=self._live())
        count: int = frame["num_addressable_device_logical_ids"]
        flat = struct.unpack(f"{2 * count}i", read_bytes(frame["addressable_device_logical_ids"], 8 * count))
        return tuple(zip(flat[::2], flat[1::2], strict=True))

    def device_assignment(self) -> bytes:
        """The serialised ``DeviceAssignmentProto``; needs PJRT 0.79."""
        frame = self.client.api.call("PJRT_LoadedExecutable_GetDeviceAssignment", executable=self._live())
        blob = frame.bytes("serialized_bytes")
        release(frame["serialized_device_assignment_deleter"], frame["serialized_device_assignment"])
        return blob

    def is_deleted(self) -> bool:
        """Whether its device memory was released."""
        frame = self.client.api.call("PJRT_LoadedExecutable_IsDeleted", executable=self._live())
        return bool(frame["is_deleted"])

    def delete(self) -> None:
        """Releases its device memory; what it is can still be asked."""
        self.client.api.call("PJRT_LoadedExecutable_Delete", executable=self._live())
        self._disarm()
        self._in_specs = _UNPREPARED

    def to_artifact(self, **metadata: str) -> Any:
        """An artifact with this executable; see ``ppy_pjrt.artifact``."""
        from .artifact import Artifact

        return Artifact.of(self, **metadata)

    def shardings(self) -> tuple[list[bytes], list[bytes]]:
        """Serialised shardings of parameters and results, through the Shardings extension."""
        plugin = self.client.plugin
        found = []
        for entry, count in (("ParameterShardings", "num_parameters"), ("OutputShardings", "num_outputs")):
            frame = plugin.call_extension(
                "Shardings", f"PJRT_Shardings_PJRT_Executable_{entry}", executable=self._inner()
            )
            total = frame[count] if frame["shardings"] else 0
            places = read_pointers(frame["shardings"], total)
            sizes = read_int64s(frame["sharding_sizes"], total)
            found.append([read_bytes(place, size) for place, size in zip(places, sizes, strict=True)])
        return found[0], found[1]
