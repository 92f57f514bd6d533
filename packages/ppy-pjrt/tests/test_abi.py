"""The generated table and the frames over it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from ppy_pjrt.abi import ENUMS, PJRT_MINOR, STRUCTS, Frame, Frames, enum, int64s, layout, proto, read_int64s
from ppy_pjrt.api import OLDEST_MINOR
from ppy_pjrt.dtypes import DTYPES, dtype_of_code, dtype_of_xla
from ppy_pjrt.errors import Unsupported

pytestmark = pytest.mark.host
GENERATOR = Path(__file__).parents[3] / "tools/pjrt/generate.py"


def test_every_struct_parses_and_no_field_leaves_its_struct() -> None:
    for name in STRUCTS:
        shape = layout(name)
        assert shape.fields, name
        for field in shape.fields.values():
            assert 0 <= field.offset < field.end <= shape.extent, (name, field.name)


def test_slots_are_consecutive_pointers() -> None:
    slots = [f for f in layout("PJRT_Api").fields.values() if f.name.startswith("PJRT_")]
    assert len(slots) == 138
    assert [f.offset for f in slots] == list(range(40, 40 + 8 * 138, 8))
    assert all(f"{f.name}_Args" in STRUCTS for f in slots)


def test_known_places() -> None:
    assert layout("PJRT_Device_MemoryStats_Args").size == 201
    assert layout("PJRT_LoadedExecutable_Execute_Args").fields["execute_device"].offset == 72
    assert layout("PJRT_Api").fields["PJRT_Event_Create"].high == 89
    assert layout("PJRT_Executable_DeserializeAndLoad_Args").fields["load_options"].low == 91
    assert "XLA_FFI_State_Set_Args@2" in STRUCTS and "stage" not in layout("XLA_FFI_State_Set_Args@2").fields


def test_declared_sizes_follow_the_plugins_version() -> None:
    options = layout("PJRT_ExecuteOptions")
    assert options.size_for(81) == options.fields["multi_slice_config"].offset
    assert options.size_for(116) == options.size_for(117) == options.size
    assert layout("PJRT_Buffer_Device_Args").size_for(57) == 32


def test_a_frame_reads_what_it_was_given_and_keeps_what_it_points_at() -> None:
    frame = Frame(layout("PJRT_Client_BufferFromHostBuffer_Args"))
    frame["dims"] = int64s((2, 3))
    frame["type"] = 11
    frame["data"] = b"abc"
    assert read_int64s(frame["dims"], 2) == (2, 3)
    assert frame["type"] == 11 and frame["buffer"] == 0
    named = Frame(layout("PJRT_NamedValue"))
    named["name"] = "dütt".encode()
    assert named["name_size"] == 5 and named.text("name") == "dütt"
    with pytest.raises(KeyError):
        frame["no such field"]


def test_arrays_of_structs_are_contiguous() -> None:
    frames = Frames(layout("PJRT_ShapeSpec"), 3)
    addresses = [frame.address for frame in frames.items]
    assert addresses[0] == frames.address and addresses[2] - addresses[1] == layout("PJRT_ShapeSpec").extent


def test_every_element_type_of_the_header_has_a_name() -> None:
    codes = {value: name for name, (value, _) in enum("PJRT_Buffer_Type").items() if name != "INVALID"}
    assert set(codes) == {dtype.code for dtype in DTYPES.values()}
    ffi = {name: value for name, (value, _) in enum("XLA_FFI_DataType").items() if name != "INVALID"}
    for number, name in codes.items():
        assert dtype_of_code(number).code == number
        if name in ffi:
            assert dtype_of_xla(ffi[name]) is dtype_of_code(number)
    with pytest.raises(Unsupported, match="element type 999 of XLA is newer"):
        dtype_of_xla(999)
    assert DTYPES["float6_e2m3fn"].since == 114 and DTYPES["float32"].since == 0
    assert DTYPES["bfloat16"].code == 13 and DTYPES["bfloat16"].xla == 16


def test_proto_numbers() -> None:
    build = proto("ExecutableBuildOptionsProto")
    assert (build["num_replicas"], build["num_partitions"], build["use_spmd_partitioning"]) == (4, 5, 6)
    assert build["use_shardy_partitioner"] == 19


def test_versions() -> None:
    assert OLDEST_MINOR == 57 and PJRT_MINOR >= 117
    assert ENUMS["PJRT_Extension_Type"].startswith("PJRT_Extension_Type_Gpu_Custom_Call=0 ")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_the_probe_of_the_generator_agrees_with_the_running_compiler(tmp_path: Path) -> None:
    """One struct of each kind, declared by hand here, laid out by gcc."""
    source = """#include <stdio.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdbool.h>
    struct T { size_t a; void* b; bool c; int64_t d; bool e; int f; const void* g; };
    int main(void) { printf("%zu %zu %zu %zu %zu", offsetof(struct T, c), offsetof(struct T, d), offsetof(struct T, e),
      offsetof(struct T, f), offsetof(struct T, g)); }"""
    program = tmp_path / "probe"
    subprocess.run(["gcc", "-x", "c", "-", "-o", str(program)], input=source, text=True, check=True)
    assert subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout == "16 24 32 36 40"
    assert GENERATOR.exists()
