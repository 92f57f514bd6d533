"""Triton IR through a plugin that has the Triton extension (plugins from 0.65 on; CUDA's dropped it by 0.116)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .abi import Frame, read_bytes
from .errors import InvalidArgument

if TYPE_CHECKING:
    from .device import Device
    from .plugin import Plugin


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """Assembly (PTX) of a kernel and the shared memory it needs."""

    asm: bytes
    shared_bytes: int
    path: str


def arch_of(device: Device) -> str:
    """The architecture of a CUDA device as the compiler wants it: ``"9.0"``."""
    found = device.attributes.get("compute_capability")
    if not isinstance(found, str):
        raise InvalidArgument(f"{device!r} has no compute capability")
    return found


def compile(
    plugin: Plugin, ir: str | bytes, arch: str, *, num_warps: int = 4, num_ctas: int = 1, num_stages: int = 3
) -> CompiledKernel:
    """Compiles a module of Triton IR."""
    code = ir.encode() if isinstance(ir, str) else bytes(ir)
    plugin.initialize()
    frame = plugin.call_extension(
        "Triton", "compile", "PJRT_Triton_Compile_Args", module=code, arch_name=arch.encode(), num_warps=num_warps,
        num_ctas=num_ctas, num_stages=num_stages,
    )  # fmt: skip
    return CompiledKernel(frame.bytes("out_asm"), frame["out_smem_bytes"], _path(frame))


def _path(frame: Frame) -> str:
    size: int = frame["out_path_size"]
    # Older plugins put cluster dimensions here: a path has a length that fits one and an address that is none of them.
    if not 0 < size < 4096 or frame["out_path"] < 4096:
        return ""
    return read_bytes(frame["out_path"], size).decode("utf-8", "replace")
