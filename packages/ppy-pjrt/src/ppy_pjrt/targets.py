"""Descriptions of GPUs that are not here, to compile for them: ``target("h200")`` is a target config as text.

The numbers are the published ones of each model; they steer the compiler's choices (tile sizes, unrolling), never the
meaning of a program. A description taken from a real device can be given to ``Topology.create`` instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import NotFound


@dataclass(frozen=True, slots=True)
class Gpu:
    """What the compiler wants to know of a model."""

    name: str
    capability: tuple[int, int]
    cores: int
    clock_ghz: float
    memory: int
    bandwidth: int
    l2: int
    shared_per_core: int
    shared_per_block: int
    accelerated: bool


_GIB = 1 << 30
GPUS: dict[str, Gpu] = {
    "a100": Gpu("NVIDIA A100 80GB", (8, 0), 108, 1.41, 80 * _GIB, 2_039_000_000_000, 40 << 20, 167_936, 166_912, False),
    "h100": Gpu("NVIDIA H100 80GB", (9, 0), 132, 1.98, 80 * _GIB, 3_350_000_000_000, 50 << 20, 233_472, 232_448, True),
    "h200": Gpu(
        "NVIDIA H200 141GB", (9, 0), 132, 1.98, 141 * _GIB, 4_800_000_000_000, 50 << 20, 233_472, 232_448, True
    ),
}


def target(model: str) -> str:
    """The description of a model by its short name."""
    gpu = GPUS.get(model.lower())
    if gpu is None:
        raise NotFound(f"no description of {model!r} is known here; there are {', '.join(GPUS)}")
    major, minor = gpu.capability
    extra = " feature_extension: ACCELERATED_FEATURES" if gpu.accelerated else ""
    return f"""gpu_device_info {{
  threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
  shared_memory_per_block: 49152 shared_memory_per_core: {gpu.shared_per_core}
  shared_memory_per_block_optin: {gpu.shared_per_block}
  core_count: {gpu.cores} fpus_per_core: {128 if major >= 9 else 64} clock_rate_ghz: {gpu.clock_ghz}
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  memory_bandwidth: {gpu.bandwidth} l2_cache_size: {gpu.l2} device_memory_size: {gpu.memory}
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
  cuda_compute_capability {{ major: {major} minor: {minor}{extra} }}
}}
platform_name: "CUDA"
dnn_version_info {{ major: 9 minor: 10 patch: 0 }}
device_description_str: "{gpu.name}"
"""
