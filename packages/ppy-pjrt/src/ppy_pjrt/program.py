"""What a compiled program says about itself, loaded or not: name, types, costs, optimised form, serialised form."""

from __future__ import annotations

import ctypes
import struct
import threading
from functools import cached_property

from .abi import Frame, read_bytes, read_int64s, read_pointers
from .api import Api
from .dtypes import DType, dtype_of_code
from .errors import Unsupported
from .signature import Signature, of_hlo
from .values import Value, decode
from .wire import Reader

# Plugins fill their lists of strings in when these are first wanted, without a lock of theirs; and a second handle of
# one unloaded program would, in going, take the answers to the first away: from Python 3.12 on `cached_property` has no
# lock either.
asking = threading.RLock()


class CompiledProgram:
    """A compiled program; ``_inner`` gives its ``PJRT_Executable``."""

    def __init__(self, api: Api, keep: object) -> None:
        self.api = api
        self._keep = keep

    def _inner(self) -> int:
        raise NotImplementedError

    def _ask(self, entry: str) -> Frame:
        frame = self.api.call(entry, executable=(handle := self._inner()))
        frame.keep.append(handle)  # what the plugin answers with is a part of it
        return frame

    @cached_property
    def name(self) -> str:
        """The program's name."""
        return self._ask("PJRT_Executable_Name").text("executable_name")

    @cached_property
    def num_outputs(self) -> int:
        """Results per device."""
        return int(self._ask("PJRT_Executable_NumOutputs")["num_outputs"])

    @cached_property
    def num_replicas(self) -> int:
        """Replicas it was compiled for."""
        return int(self._ask("PJRT_Executable_NumReplicas")["num_replicas"])

    @cached_property
    def num_partitions(self) -> int:
        """Partitions it was compiled for."""
        return int(self._ask("PJRT_Executable_NumPartitions")["num_partitions"])

    @cached_property
    def signature(self) -> Signature:
        """Types of parameters and results of one device's program."""
        return of_hlo(self.optimized_hlo())

    def optimized_hlo(self) -> bytes:
        """The program after optimisation, as an ``HloModuleProto`` (which ``compile(format="hlo")`` takes)."""
        program = self.api.frame("PJRT_Program")
        self.api.call("PJRT_Executable_OptimizedProgram", executable=self._inner(), program=program)
        out = ctypes.create_string_buffer(max(program["code_size"], 1))
        program["code"] = ctypes.addressof(out)
        self.api.call("PJRT_Executable_OptimizedProgram", executable=self._inner(), program=program)
        raw, form = out.raw[: program["code_size"]], program.text("format")
        if form == "hlo_with_config":
            return bytes(Reader("HloModuleProtoWithConfig", raw).messages("hlo_module")[0])
        if form != "hlo":
            raise Unsupported(
                f"the plugin gives its optimised program as {form!r}, which this client does not read", form
            )
        return raw

    @cached_property
    def output_types(self) -> tuple[DType, ...]:
        """Element types of the results."""
        frame = self._ask("PJRT_Executable_OutputElementTypes")
        count: int = frame["num_output_types"]
        codes = struct.unpack(f"{count}i", read_bytes(frame["output_types"], 4 * count))
        return tuple(map(dtype_of_code, codes))

    @cached_property
    def output_shapes(self) -> tuple[tuple[int, ...], ...]:
        """Dimensions of the results."""
        frame = self._ask("PJRT_Executable_OutputDimensions")
        ranks = read_int64s(frame["dim_sizes"], frame["num_outputs"])
        flat, shapes, at = read_int64s(frame["dims"], sum(ranks)), [], 0
        for rank in ranks:
            shapes.append(flat[at : at + rank])
            at += rank
        return tuple(shapes)

    def output_memory_kinds(self) -> list[str]:
        """The memory kind of each result."""
        return self._strings("PJRT_Executable_OutputMemoryKinds", "num_outputs", "memory_kinds", "memory_kind_sizes")

    def parameter_memory_kinds(self) -> list[str]:
        """The memory kind of each parameter; needs PJRT 0.102."""
        return self._strings(
            "PJRT_Executable_ParameterMemoryKinds", "num_parameters", "memory_kinds", "memory_kind_sizes"
        )

    def _strings(self, entry: str, count: str, texts: str, sizes: str) -> list[str]:
        with asking:
            return strings(self._ask(entry), count, texts, sizes)

    @property
    def fingerprint(self) -> bytes:
        """The plugin's fingerprint of the program."""
        return self._ask("PJRT_Executable_Fingerprint").bytes("executable_fingerprint")

    @property
    def code_size(self) -> int:
        """Bytes of generated code."""
        return int(self._ask("PJRT_Executable_SizeOfGeneratedCodeInBytes")["size_in_bytes"])

    def cost_analysis(self) -> dict[str, Value]:
        """The compiler's estimates (``flops``, ``bytes accessed`` …)."""
        frame = self._ask("PJRT_Executable_GetCostAnalysis")
        return decode(frame["properties"], frame["num_properties"])

    def memory_stats(self) -> dict[str, int]:
        """What running it takes, in bytes; only fields the plugin's version has."""
        frame = self._ask("PJRT_Executable_GetCompiledMemoryStats")
        fields = frame.layout.fields.values()
        return {f.name: frame[f.name] for f in fields if f.offset >= 24 and f.high <= self.api.minor}

    def serialize(self) -> bytes:
        """The compiled program as bytes that the same plugin can load again."""
        frame = self._ask("PJRT_Executable_Serialize")
        blob = frame.bytes("serialized_bytes")
        release(frame["serialized_executable_deleter"], frame["serialized_executable"])
        return blob

    def compile_options(self) -> bytes:
        """The options it was compiled with, as the plugin serialises them; needs PJRT 0.87."""
        frame = self._ask("PJRT_Executable_GetCompileOptions")
        blob = frame.bytes("serialized_bytes")
        release(frame["serialized_compile_options_deleter"], frame["serialized_compile_options"])
        return blob


def strings(frame: Frame, count: str, texts: str, sizes: str) -> list[str]:
    """The strings of a frame that has an array of texts and one of sizes."""
    from .abi import read_bytes

    total: int = frame[count]
    places = read_pointers(frame[texts], total)
    lengths = read_int64s(frame[sizes], total)
    return [read_bytes(place, size).decode() for place, size in zip(places, lengths, strict=True)]


def release(deleter: int, held: int) -> None:
    """Gives memory back to the plugin through the deleter that came with it."""
    if deleter and held:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(held)
