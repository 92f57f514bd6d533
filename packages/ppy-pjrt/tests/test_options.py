"""Compile options and the wire format, against jaxlib's own protobuf where it is installed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pjrt_programs import ADD, GSPMD, SHARDY
from ppy_pjrt.errors import ArgumentMismatch, DataLoss, InvalidArgument
from ppy_pjrt.options import CompileOptions, assignment, encoded, is_shardy
from ppy_pjrt.wire import Message, Reader, read, varint

pytestmark = pytest.mark.host


def _jaxlib() -> object:
    return pytest.importorskip("jaxlib.xla_client")


def fields(raw: bytes) -> dict[int, object]:
    return {number: value if isinstance(value, int) else bytes(value) for number, value in read(raw)}


@given(st.integers(0, 2**64 - 1))
def test_varints_round_trip(value: int) -> None:
    raw = b"\x08" + varint(value)
    assert list(read(raw)) == [(1, value)]


@given(st.binary(max_size=40))
def test_any_bytes_parse_or_are_refused(raw: bytes) -> None:
    try:
        list(read(raw))
    except DataLoss:
        pass


def test_negative_integers_take_ten_bytes() -> None:
    assert varint(-1) == b"\xff" * 9 + b"\x01"


def test_defaults_are_those_of_jaxlib() -> None:
    theirs = _jaxlib().CompileOptions().SerializeAsString()
    mine = CompileOptions().encode()
    build = Reader("CompileOptionsProto", mine).messages("executable_build_options")[0]
    other = Reader("CompileOptionsProto", theirs).messages("executable_build_options")[0]
    for name in ("device_ordinal", "num_replicas", "num_partitions", "use_spmd_partitioning"):
        one, two = (Reader("ExecutableBuildOptionsProto", raw).integer(name) for raw in (build, other))
        assert one == two, name


def test_every_field_is_read_back_by_jaxlib() -> None:
    xc = _jaxlib()
    mine = CompileOptions(
        num_replicas=2, num_partitions=3, use_spmd_partitioning=True, use_shardy_partitioner=True,
        device_assignment=[[0, 1, 2], [3, 4, 5]], propagate_sharding_to_outputs=(True, False),
        propagate_sharding_to_parameters=(True,), tupled_arguments=True, portable=True, alias_passthrough=True,
        debug={"xla_cpu_enable_fast_math": True, "xla_dump_to": "/tmp/x", "xla_llvm_opt": 2, "xla_x": 0.5},
        fdo_profile=b"fdo", device_memory_size=1 << 33, optimization_level=3, memory_fitting_level=2,
        process_index=1, process_count=4, run_backend_only=True, profile_version=7,
    )  # fmt: skip
    theirs = xc.CompileOptions.ParseFromString(mine.encode())
    build = theirs.executable_build_options
    assert (theirs.parameter_is_tupled_arguments, theirs.compile_portable_executable, theirs.profile_version) == (
        True,
        True,
        7,
    )
    assert (build.num_replicas, build.num_partitions, build.use_spmd_partitioning) == (2, 3, True)
    assert build.use_shardy_partitioner
    assert build.device_assignment.serialize() == assignment([[0, 1, 2], [3, 4, 5]])
    assert build.fdo_profile == b"fdo"
    mine_again = Reader("CompileOptionsProto", theirs.SerializeAsString()).messages("executable_build_options")[0]
    assert Reader("ExecutableBuildOptionsProto", mine_again).integer("process_count") == 4
    options = dict(theirs.env_option_overrides)
    assert options["xla_dump_to"] == "/tmp/x" and options["xla_cpu_enable_fast_math"] is True
    assert options["xla_llvm_opt"] == 2 and options["xla_x"] == 0.5


def test_sharded_options_differ_and_the_same_options_are_the_same_bytes() -> None:
    plain, sharded = CompileOptions(), CompileOptions(num_partitions=2, use_spmd_partitioning=True)
    assert plain.encode() != sharded.encode() and plain.encode() == CompileOptions().encode()
    first = CompileOptions(debug={"a": 1, "b": 2}).encode()
    assert first == CompileOptions(debug={"b": 2, "a": 1}).encode()


def test_shardy_is_told_from_the_dialect_not_from_letters() -> None:
    assert is_shardy(SHARDY)
    assert not is_shardy(GSPMD)
    assert not is_shardy('module { func.func @main() { %0 = stablehlo.custom_call @x() {note = "sdy.mesh"} } }')
    assert not is_shardy("module @busdy.x {}")
    two = CompileOptions(num_partitions=2, use_spmd_partitioning=True)
    assert two.encode(SHARDY) != two.encode(GSPMD)


def test_wrong_options_are_refused_with_the_numbers() -> None:
    for bad in ({"num_replicas": 0}, {"num_partitions": -1}, {"num_replicas": 2**40}, {"num_replicas": "2"},
                {"process_count": -5}):  # fmt: skip
        with pytest.raises(InvalidArgument, match=f"{next(iter(bad))} = .*a whole number of at least"):
            CompileOptions(**bad)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="too many"):
        CompileOptions(num_replicas=2**20, num_partitions=2**20)
    for layout in ((0,), 5, ("float32", (2, 3), (0, 0)), ("float32", (2, 3), (1,)), ("float32", 3, (0,))):
        with pytest.raises(InvalidArgument, match="is no layout"):
            CompileOptions(argument_layouts=[layout]).encode()  # type: ignore[list-item]
    with pytest.raises(InvalidArgument, match="fdo_profile is bytes, not a str"):
        CompileOptions(fdo_profile="x")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="debug option 3"):
        CompileOptions(debug={3: True}).encode()  # type: ignore[dict-item]
    with pytest.raises(ArgumentMismatch, match="CompileOptions, not a dict"):
        encoded({"num_replicas": 1}, ADD)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"rows of \[1\]; 2 replicas of 2"):
        CompileOptions(num_replicas=2, num_partitions=2, device_assignment=[[0]])
    with pytest.raises(InvalidArgument, match="'x'.*list"):
        CompileOptions(debug={"x": [1]}).encode()  # type: ignore[dict-item]


def test_layouts_are_encoded() -> None:
    options = CompileOptions(argument_layouts=[("float32", (2, 3), (0, 1))], result_layout=[("int8", (4,), (0,))])
    shape = Reader("ShapeProto", Reader("CompileOptionsProto", options.encode()).messages("argument_layouts")[0])
    assert shape.integers("dimensions") == (2, 3)
    assert Reader("LayoutProto", shape.messages("layout")[0]).integers("minor_to_major") == (0, 1)


def test_a_message_is_written_by_field_names_only() -> None:
    with pytest.raises(KeyError):
        Message("CompileOptionsProto").integer("no_such_field", 1)
