"""Named programs: inputs by name from a registry of buffers, loaded when first needed, results fed back as inputs.

A ``Session`` holds one buffer per name and device. A ``NamedProgram`` takes what the call does not give from there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .buffer import Buffer
from .dtypes import dtype_of
from .errors import ArgumentMismatch

if TYPE_CHECKING:
    from .cache import CompileCache
    from .client import Client
    from .executable import Executable
    from .options import CompileOptions


@dataclass(frozen=True, slots=True)
class Slot:
    """A named input; where dtype or shape are given, every value is checked against them."""

    name: str
    dtype: Any = None
    shape: tuple[int, ...] | None = None

    def check(self, value: Any) -> None:
        """Refuses a value of another kind, by name."""
        if self.dtype is not None and hasattr(value, "dtype") and dtype_of(value.dtype) != dtype_of(self.dtype):
            raise ArgumentMismatch(f"slot {self.name!r} takes {dtype_of(self.dtype)}, not {value.dtype}")
        if self.shape is not None and hasattr(value, "shape") and tuple(value.shape) != self.shape:
            raise ArgumentMismatch(f"slot {self.name!r} takes shape {self.shape}, not {tuple(value.shape)}")


class Session:
    """Buffers by name, and programs that use them."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._values: dict[str, Any] = {}
        self._loaders: dict[str, Callable[[], Any]] = {}
        self._placed: dict[tuple[str, int], Buffer] = {}
        self._lock = threading.RLock()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives every named buffer up."""
        with self._lock:
            for buffer in self._placed.values():
                buffer.close()
            self._placed.clear()
            self._values.clear()
            self._loaders.clear()

    def set(self, name: str, value: Any) -> None:
        """Names a buffer or array."""
        with self._lock:
            self._forget(name)
            if isinstance(value, Buffer):
                self._placed[name, value.device.id] = value
            self._values[name] = value

    def bind(self, name: str, loader: Callable[[], Any]) -> None:
        """Names an array that is made by calling ``loader`` when a program first needs it."""
        with self._lock:
            self._forget(name)
            self._loaders[name] = loader

    def bind_many(self, loaders: Mapping[str, Callable[[], Any]]) -> None:
        """``bind`` for each."""
        for name, loader in loaders.items():
            self.bind(name, loader)

    def _forget(self, name: str) -> None:
        self._values.pop(name, None)
        self._loaders.pop(name, None)
        for key in [key for key in self._placed if key[0] == name]:
            del self._placed[key]

    @property
    def pending(self) -> list[str]:
        """Names bound but not yet loaded."""
        return sorted(self._loaders)

    @property
    def resident(self) -> list[str]:
        """Names with a buffer on some device."""
        return sorted({name for name, _ in self._placed})

    def get(self, name: str, device: Any = None) -> Buffer:
        """The buffer of a name on a device, uploading or copying there as needed."""
        place = device or self.client.devices[0]
        with self._lock:
            found = self._placed.get((name, place.id))
            if found is not None and not found.closed:
                return found
            if name in self._loaders:
                self._values[name] = self._loaders.pop(name)()
            if name not in self._values:
                known = ", ".join(sorted({*self._values, *self._loaders})) or "none"
                raise ArgumentMismatch(f"nothing is named {name!r} in this session; there are: {known}")
            value = self._values[name]
            if isinstance(value, Buffer) and value.closed:
                raise ArgumentMismatch(f"{name!r} was donated to a program; feed its result back or set it again")
            buffer = self.client.put(value, place)
            self._placed[name, place.id] = buffer
            return buffer

    def feed_back(self, outputs: Mapping[str, Buffer] | Sequence[Mapping[str, Buffer]]) -> None:
        """Makes results the next inputs of their names; nothing leaves the device."""
        rows = [outputs] if isinstance(outputs, Mapping) else outputs
        with self._lock:
            for name in {name for row in rows for name in row}:
                self._forget(name)
            for row in rows:
                for name, buffer in row.items():
                    self._placed[name, buffer.device.id] = buffer
                    self._values[name] = buffer

    def program(
        self, source: str | bytes | Executable, inputs: Sequence[Slot | str], outputs: Sequence[str] = (), *,
        options: CompileOptions | None = None, cache: CompileCache | None = None,
    ) -> NamedProgram:  # fmt: skip
        """A program (compiled here unless it is an executable) with names for its inputs and outputs."""
        executable = self.client.compile(source, options, cache=cache) if isinstance(source, (str, bytes)) else source
        slots = [slot if isinstance(slot, Slot) else Slot(slot) for slot in inputs]
        return NamedProgram(self, executable, slots, list(outputs))


class NamedProgram:
    """An executable with named inputs and outputs."""

    def __init__(self, session: Session, executable: Executable, slots: list[Slot], outputs: list[str]) -> None:
        names = [slot.name for slot in slots]
        if len(set(names)) != len(names):
            raise ArgumentMismatch(f"two inputs have one name: {names}")
        count = executable.num_outputs
        if outputs and len(outputs) != count:
            raise ArgumentMismatch(f"{executable.name} has {count} outputs, {len(outputs)} names were given: {outputs}")
        self.session = session
        self.executable = executable
        self.slots = slots
        self.outputs = outputs or [f"output{index}" for index in range(count)]
        self._checked = [slot for slot in slots if slot.dtype is not None or slot.shape is not None]

    def __call__(self, **inputs: Any) -> dict[str, Buffer]:
        """Runs on one device; what is not given comes from the session."""
        row = self._row(inputs, None)
        return dict(zip(self.outputs, self.executable(*row), strict=True))

    def sharded(self, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Buffer]]:
        """Runs on every device, one mapping of inputs each."""
        devices = self.executable.devices
        if len(rows) != len(devices):
            raise ArgumentMismatch(
                f"{self.executable.name} runs on {len(devices)} devices, {len(rows)} rows were given"
            )
        given = [self._row(row, device) for row, device in zip(rows, devices, strict=True)]
        return [dict(zip(self.outputs, row, strict=True)) for row in self.executable.execute_sharded(given)]

    def _row(self, inputs: Mapping[str, Any], device: Any) -> list[Any]:
        if unknown := inputs.keys() - {slot.name for slot in self.slots}:
            known = ", ".join(slot.name for slot in self.slots)
            raise ArgumentMismatch(f"{self.executable.name} has no input {', '.join(sorted(unknown))}; it has {known}")
        place = device or (self.executable.devices or self.session.client.devices)[0]
        row = [inputs[slot.name] if slot.name in inputs else self.session.get(slot.name, place) for slot in self.slots]
        if self._checked:
            for slot, value in zip(self.slots, row, strict=True):
                slot.check(value)
        return row
