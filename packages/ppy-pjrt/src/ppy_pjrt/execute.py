"""Execution with every option: several devices, launch ids, contexts, completion events.

The plain call of ``executable`` is the fast way; this one builds its argument structs per call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .abi import Frame, int64s, pointers
from .buffer import Buffer
from .create import upload
from .errors import ArgumentMismatch, ForkedProcess, HandleClosed, Unsupported
from .event import Event
from .handle import CLOSED, DONATED, Closed, handle_class
from .spec import Spec
from .values import Value, encode

if TYPE_CHECKING:
    from .device import Device
    from .executable import Executable
    from .plugin import Plugin


class Context:
    """User data for the FFI handlers of an execution; see ``ffi.user_data``. Needs PJRT 0.64."""

    def __init__(self, plugin: Plugin) -> None:
        plugin.initialize()
        self.plugin = plugin
        frame = plugin.api.call("PJRT_ExecuteContext_Create")
        self._handle: int = handle_class(plugin.api, "PJRT_ExecuteContext_Destroy", "context", plugin)(frame["context"])
        self.keep: list[object] = []

    def _live(self) -> int:
        if isinstance(self._handle, Closed):
            raise HandleClosed(f"this context {self._handle.why}")
        return self._handle

    def close(self) -> None:
        """Gives it up; executions that use it finish."""
        self._handle = CLOSED

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run(executable: Executable, rows: Sequence[Sequence[Any]], **options: Any) -> list[tuple[Buffer, ...]]:
    """Results per device."""
    return _run(executable, rows, False, **options)[0]


def run_watched(
    executable: Executable, rows: Sequence[Sequence[Any]], **options: Any
) -> tuple[list[tuple[Buffer, ...]], list[Event]]:
    """Results per device, and the event of each device's execution."""
    return _run(executable, rows, True, **options)


def _run(
    executable: Executable, rows: Sequence[Sequence[Any]], watch: bool, *, device: Device | None = None,
    launch_id: int = 0, non_donatable: Sequence[int] = (), context: Context | None = None, call_location: str = "",
    tasks: Sequence[tuple[int, int]] = (), custom: dict[str, Value] | None = None,
) -> tuple[list[tuple[Buffer, ...]], list[Event]]:  # fmt: skip
    client = executable.client
    if client.api.forked:
        raise ForkedProcess("this executable was loaded before this process was forked")
    handle = executable._live()
    admitted = _admit(executable, rows, device)
    count, outputs = len(admitted), executable.num_outputs
    held = [[value._live() for value in row] for row in admitted]
    ins = [pointers(row) for row in held]
    outs = [(ctypes.c_void_p * max(outputs, 1))() for _ in range(count)]
    events = (ctypes.c_void_p * count)()
    frame = client.api.frame(
        "PJRT_LoadedExecutable_Execute_Args", executable=handle, num_devices=count, num_args=len(admitted[0]),
        argument_lists=pointers([ctypes.addressof(row) for row in ins]),
        output_lists=pointers([ctypes.addressof(row) for row in outs]),
        device_complete_events=events if watch else None, execute_device=device._pointer if device else 0,
        options=_options(executable, launch_id, non_donatable, context, call_location, tasks, custom),
    )  # fmt: skip
    frame.keep.append((ins, outs))
    error = client.api.table.entry("PJRT_LoadedExecutable_Execute")(frame.address)
    if error:
        from .diagnose import explain

        for row in outs:
            for pointer in row:
                if pointer:
                    client._calls.handle(pointer)
        raise explain(client, client.api.take_error(error))
    watching = [Event(client._calls.events, pointer) for pointer in events if watch and pointer]
    results = [tuple(_results(executable, row[:outputs])) for row in outs]
    _mark(executable, admitted, set(non_donatable))
    return results, watching


def _results(executable: Executable, row: Sequence[Any]) -> list[Buffer]:
    return [executable._adopt(executable._new_handle(pointer)) for pointer in row]


def _mark(executable: Executable, rows: Sequence[Sequence[Buffer]], kept: set[int]) -> None:
    deleted = executable.client._calls.is_deleted
    for row in rows:
        for index, value in enumerate(row):
            handle = value._handle
            if index not in kept and handle and deleted(handle):
                value._end(DONATED)


def _options(
    executable: Executable, launch_id: int, non_donatable: Sequence[int], context: Context | None, call_location: str,
    tasks: Sequence[tuple[int, int]], custom: dict[str, Value] | None,
) -> Frame:  # fmt: skip
    fields: dict[str, Any] = {
        "launch_id": launch_id,
        "call_location": call_location.encode() + b"\0" if call_location else 0,
    }
    count = len(executable.signature.parameters)
    if beyond := [at for at in non_donatable if not 0 <= at < count]:
        raise ArgumentMismatch(f"non_donatable names arguments {beyond}, {executable.name} takes {count}")
    if non_donatable:
        fields |= {
            "non_donatable_input_indices": int64s(tuple(non_donatable)),
            "num_non_donatable_input_indices": len(non_donatable),
        }
    fields["context"] = context._live() if context is not None else executable.api.empty_context
    if tasks:
        ids = (ctypes.c_int * len(tasks))(*(task for task, _ in tasks))
        fields |= {"num_tasks": len(tasks), "task_ids": ids, "incarnation_ids": int64s([n for _, n in tasks])}
    if custom:
        fields |= {"custom_options": encode(custom), "num_custom_options": len(custom)}
    return executable.client.api.frame("PJRT_ExecuteOptions", **fields)


def _admit(executable: Executable, rows: Sequence[Sequence[Any]], device: Device | None) -> list[list[Buffer]]:
    places: Sequence[Device] = executable.devices
    if not places:
        if device is None:
            raise ArgumentMismatch(f"{executable.name} is portable: say on which device to run it")
        places = [device]
    elif device is not None and device.client is not executable.client:
        raise ArgumentMismatch(f"{device!r} belongs to another client")
    elif device is not None and device not in places:
        raise Unsupported(f"{executable.name} is loaded on {places}, not on {device!r}; compile it with portable=True")
    if len(rows) != len(places):
        raise ArgumentMismatch(
            f"{executable.name} runs on {len(places)} devices, {len(rows)} rows of arguments were given"
        )
    parameters = executable._parameters
    admitted = []
    for row, place in zip(rows, places, strict=True):
        if len(row) != len(parameters):
            raise ArgumentMismatch(
                f"{executable.name} takes {len(parameters)} arguments {executable.signature}, {len(row)} were given "
                f"for {place!r}"
            )
        specs = [executable.spec_of(item, place, kind) for item, kind in parameters]
        admitted.append([_admit_one(executable, i, *pair) for i, pair in enumerate(zip(row, specs, strict=True))])
    return admitted


def _admit_one(executable: Executable, index: int, value: Any, spec: Spec) -> Buffer:
    if isinstance(value, Buffer):
        executable._check(index, value, spec)
        return value
    try:
        return upload(spec, value)
    except (ArgumentMismatch, HandleClosed) as error:
        raise executable._about(index, error) from None
