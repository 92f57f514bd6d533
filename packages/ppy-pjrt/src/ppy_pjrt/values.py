"""Named values: options given to a plugin and attributes read from it.

Names and strings travel as UTF-8 with their length in bytes; lists of integers are a value type of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .abi import Frame, Frames, enum, int64s, layout, read_bytes, read_int64s
from .errors import InvalidArgument

Value = str | bytes | int | float | bool | Sequence[int]


def encode(values: Mapping[str, Value]) -> Frames | None:
    """A C array of named values; None where there are none."""
    if not values:
        return None
    frames = Frames(layout("PJRT_NamedValue"), len(values))
    for frame, (name, value) in zip(frames.items, values.items(), strict=True):
        frame["struct_size"] = frame.layout.size
        if not isinstance(name, str):
            raise InvalidArgument(f"option {name!r}: the name of an option is a str")
        frame["name"] = name.encode()
        kind, field, held, size = _encoded(name, value)
        frame["type"] = enum("PJRT_NamedValue_Type")[kind][0]
        frame[field] = held
        frame["value_size"] = size
    return frames


def _encoded(name: str, value: Value) -> tuple[str, str, object, int]:
    if isinstance(value, bool):
        return "kBool", "bool_value", value, 1
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InvalidArgument(f"option {name!r}: {value} does not fit 64 bits")
        return "kInt64", "int64_value", value, 1
    if isinstance(value, float):
        return "kFloat", "float_value", value, 1
    if isinstance(value, (str, bytes)):
        raw = value.encode() if isinstance(value, str) else value
        return "kString", "string_value", raw, len(raw)
    if isinstance(value, Sequence) and all(isinstance(item, int) for item in value):
        return "kInt64List", "int64_array_value", int64s([int(item) for item in value]), len(value)
    raise InvalidArgument(
        f"option {name!r}: a {type(value).__name__} cannot be passed; give str, bytes, int, float, bool or list of int"
    )


def decode(address: int, count: int) -> dict[str, Value]:
    """A C array of named values as a dictionary (copied)."""
    kinds = {number: kind for kind, (number, _) in enum("PJRT_NamedValue_Type").items()}
    found: dict[str, Value] = {}
    shape = layout("PJRT_NamedValue")
    for _ in range(count):
        frame = Frame.at(shape, address)
        # The step is the plugin's own struct size: a later version may have grown the struct.
        address += max(int(frame["struct_size"]), shape.size) if frame["struct_size"] else shape.size
        found[frame.text("name")] = _decoded(kinds.get(frame["type"], ""), frame)
    return found


def _decoded(kind: str, frame: Frame) -> Value:
    size: int = frame["value_size"]
    if kind == "kString":
        raw = read_bytes(frame["string_value"], size)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw
    if kind == "kInt64List":
        return read_int64s(frame["int64_array_value"], size)
    plain: Value = frame[{"kFloat": "float_value", "kBool": "bool_value"}.get(kind, "int64_value")]
    return plain
