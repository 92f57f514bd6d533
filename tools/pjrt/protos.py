"""Protobuf field numbers from the generated C++ headers (`k...FieldNumber` constants): no .proto file needed."""

from __future__ import annotations

import re
from pathlib import Path

FILES = {
    "xla/xla.pb.h": "HloModuleProtoWithConfig",
    "xla/pjrt/proto/compile_options.pb.h": (
        "OptionOverrideProto ExecutableBuildOptionsProto CompileOptionsProto ExecutableAndOptionsProto"
    ),
    "xla/xla_data.pb.h": "ShapeProto LayoutProto TileProto ProgramShapeProto DeviceAssignmentProto "
    "DeviceAssignmentProto_ComputationDevice",
    "xla/service/hlo.pb.h": "HloModuleProto HloInputOutputAliasProto HloInputOutputAliasProto_AliasEntryProto",
}


def field_numbers(folder: Path) -> dict[str, dict[str, int]]:
    """Message name to field name to number, for the messages this client writes or reads."""
    found: dict[str, dict[str, int]] = {}
    for path, wanted in FILES.items():
        text = (folder / path).read_text()
        bodies = re.split(r"\nclass (?:\w+ )?(\w+) final\s*:", text)
        for name, body in zip(bodies[1::2], bodies[2::2], strict=True):
            if name not in wanted.split():
                continue
            numbers = re.findall(r"\bk(\w+)FieldNumber = (\d+)", body)
            found[name] = {_snake(field): int(number) for field, number in numbers}
    missing = {n for names in FILES.values() for n in names.split()} - {n for n in found if found[n]}
    if missing:
        raise SystemExit(f"no field numbers found for {sorted(missing)}")
    return found


def _snake(camel: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", camel).lower()
