"""Compile options, encoded by hand into the plugin's protobuf: the field numbers come from the generated table.

``debug`` takes XLA's debug options by name (``{"xla_dump_to": "/tmp/dump"}``), as JAX's compiler options do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .dtypes import dtype_of
from .errors import ArgumentMismatch, InvalidArgument
from .host import dims_of
from .wire import Message, entry

Layout = tuple[str, tuple[int, ...], tuple[int, ...]]


# Counts, and the least of each.
_NUMBERS = {"num_replicas": 1, "num_partitions": 1, "process_index": 0, "process_count": 0}


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How a program is compiled. Every field has XLA's own default."""

    num_replicas: int = 1
    num_partitions: int = 1
    use_spmd_partitioning: bool = False
    use_shardy_partitioner: bool | None = None
    """None: on exactly when the program is partitioned and written in the Shardy dialect."""
    use_auto_spmd_partitioning: bool = False
    auto_spmd_mesh_shape: tuple[int, ...] = ()
    auto_spmd_mesh_ids: tuple[int, ...] = ()
    device_assignment: Sequence[Sequence[int]] | None = None
    """Device ids by replica and partition."""
    propagate_sharding_to_outputs: tuple[bool, ...] = ()
    propagate_sharding_to_parameters: tuple[bool, ...] = ()
    tupled_arguments: bool = False
    portable: bool = False
    """Compiled for any device: the device is chosen by the call."""
    alias_passthrough: bool = False
    argument_layouts: Sequence[tuple[object, Sequence[int], Sequence[int]]] = ()
    """Per argument: dtype, shape, minor-to-major order."""
    result_layout: Sequence[tuple[object, Sequence[int], Sequence[int]]] = ()
    debug: Mapping[str, str | bool | int | float] = field(default_factory=dict)
    optimization_level: int | None = None
    memory_fitting_level: int | None = None
    run_backend_only: bool = False
    device_memory_size: int = 0
    process_index: int = 0
    process_count: int = 0
    fdo_profile: bytes = b""
    target_config: bytes = b""
    """A serialised ``GpuTargetConfigProto``, to compile for a device that is absent."""
    profile_version: int = 0
    compiler_variant: str = ""

    def __post_init__(self) -> None:
        # What is out of range here ends the process in XLA.
        for name, least in _NUMBERS.items():
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value < 2**31:
                raise InvalidArgument(f"{name} = {value!r}: a whole number of at least {least} is wanted, below 2**31")
        if self.num_replicas * self.num_partitions >= 2**31:
            raise InvalidArgument(f"{self.num_replicas} replicas x {self.num_partitions} partitions are too many")
        for name in ("fdo_profile", "target_config"):
            if not isinstance(getattr(self, name), bytes):
                raise InvalidArgument(f"{name} is bytes, not a {type(getattr(self, name)).__name__}")
        rows = self.device_assignment
        if rows is not None and [len(row) for row in rows] != [self.num_partitions] * self.num_replicas:
            raise InvalidArgument(
                f"the device assignment has rows of {[len(row) for row in rows]}; {self.num_replicas} replicas of "
                f"{self.num_partitions} partitions are wanted"
            )

    def encode(self, program: str | bytes = b"") -> bytes:
        """A ``CompileOptionsProto``."""
        message = Message("CompileOptionsProto")
        for item in self.argument_layouts:
            message.raw("argument_layouts", _shape(item))
        if self.tupled_arguments:
            message.integer("parameter_is_tupled_arguments", True)
        message.raw("executable_build_options", self._build_options(program))
        if self.portable:
            message.integer("compile_portable_executable", True)
        if self.profile_version:
            message.integer("profile_version", self.profile_version)
        for name, value in sorted(self.debug.items()):
            override = _override(name, value)
            message.raw("env_option_overrides", entry(name.encode(), override))
        if self.target_config:
            message.raw("target_config", self.target_config)
        if self.compiler_variant:
            message.raw("compiler_variant", self.compiler_variant.encode())
        return message.encode()

    def _build_options(self, program: str | bytes) -> bytes:
        build = Message("ExecutableBuildOptionsProto")
        build.integer("device_ordinal", -1)
        if self.result_layout:
            shapes = [_shape(item) for item in self.result_layout]
            build.raw("result_layout", shapes[0] if len(shapes) == 1 else _tuple(shapes))
        build.integer("num_replicas", self.num_replicas).integer("num_partitions", self.num_partitions)
        for name, value in (
            ("use_spmd_partitioning", self.use_spmd_partitioning),
            ("use_auto_spmd_partitioning", self.use_auto_spmd_partitioning),
            ("alias_passthrough_params", self.alias_passthrough),
            ("run_backend_only", self.run_backend_only),
            ("device_memory_size", self.device_memory_size),
            ("use_shardy_partitioner", self._shardy(program)),
            ("process_index", self.process_index),
            ("process_count", self.process_count),
            ("optimization_level", self.optimization_level),
            ("memory_fitting_level", self.memory_fitting_level),
        ):
            if value:
                build.integer(name, int(value))
        if self.device_assignment is not None:
            build.raw("device_assignment", assignment(self.device_assignment))
        build.packed("allow_spmd_sharding_propagation_to_output", tuple(map(int, self.propagate_sharding_to_outputs)))
        build.packed(
            "allow_spmd_sharding_propagation_to_parameters", tuple(map(int, self.propagate_sharding_to_parameters))
        )
        build.packed("auto_spmd_partitioning_mesh_shape", self.auto_spmd_mesh_shape)
        build.packed("auto_spmd_partitioning_mesh_ids", self.auto_spmd_mesh_ids)
        if self.fdo_profile:
            build.raw("fdo_profile", self.fdo_profile)
        return build.encode()

    def _shardy(self, program: str | bytes) -> bool:
        if self.use_shardy_partitioner is not None:
            return self.use_shardy_partitioner
        return self.num_partitions > 1 and is_shardy(program)


def is_shardy(program: str | bytes) -> bool:
    """Whether a program's shardings are Shardy's: an op or attribute of that dialect, not letters in a string."""
    import re

    if isinstance(program, bytes):
        # Bytecode lists the dialects it uses by name in its string section, zero-terminated.
        return re.search(rb"(?<![\w.])sdy\x00", program) is not None or b"\x00sdy." in program
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', program)
    return re.search(r"(?<![\w.])#?sdy\.\w", bare) is not None


def assignment(rows: Sequence[Sequence[int]]) -> bytes:
    """A ``DeviceAssignmentProto`` of ids by replica and partition."""
    message = Message("DeviceAssignmentProto")
    message.integer("replica_count", len(rows)).integer("computation_count", len(rows[0]))
    for column in zip(*rows, strict=True):
        message.raw(
            "computation_devices",
            Message("DeviceAssignmentProto_ComputationDevice").packed("replica_device_ids", column).encode(),
        )
    return message.encode()


def encoded(options: CompileOptions | None, program: str | bytes) -> bytes:
    """The options a user gave for a program, or the defaults."""
    if options is not None and not isinstance(options, CompileOptions):
        raise ArgumentMismatch(f"compile options are CompileOptions, not a {type(options).__name__}")
    return (options or CompileOptions()).encode(program)


def _shape(item: tuple[object, Sequence[int], Sequence[int]]) -> bytes:
    try:
        dtype, given, order = item
        shape = dims_of(given)
        fits = sorted(order) == list(range(len(shape)))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise InvalidArgument(f"{item!r} is no layout: give dtype, shape, and the dimensions from minor to major")
    message = Message("ShapeProto").integer("element_type", dtype_of(dtype).xla)
    message.packed("dimensions", tuple(shape))
    message.packed("is_dynamic_dimension", (0,) * len(shape))
    return message.raw("layout", Message("LayoutProto").packed("minor_to_major", tuple(order)).encode()).encode()


def _tuple(shapes: list[bytes]) -> bytes:
    message = Message("ShapeProto").integer("element_type", 13)
    for item in shapes:
        message.raw("tuple_shapes", item)
    return message.encode()


def _override(name: str, value: str | bool | int | float) -> bytes:
    if not isinstance(name, str):
        raise InvalidArgument(f"debug option {name!r}: the name of an option is a str")
    message = Message("OptionOverrideProto")
    if isinstance(value, bool):
        return message.integer("bool_field", value).encode()
    if isinstance(value, int):
        return message.integer("int_field", value).encode()
    if isinstance(value, float):
        return message.double("double_field", value).encode()
    if isinstance(value, str):
        return message.raw("string_field", value.encode()).encode()
    raise InvalidArgument(f"debug option {name!r}: a {type(value).__name__} is no option value")
