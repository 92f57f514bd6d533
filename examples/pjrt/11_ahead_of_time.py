"""Compiling for a GPU that is not here: a topology from a description, and an executable to be loaded elsewhere.

python 11_ahead_of_time.py [CUDA PLUGIN]     (the CUDA plugin's wheel; no GPU)
"""

import sys

import ppy_pjrt
from ppy_pjrt.targets import target

PROGRAM = """
module { func.func public @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
} }
"""


def main() -> None:
    try:
        plugin = ppy_pjrt.Plugin(sys.argv[1] if len(sys.argv) > 1 else "cuda")
    except ppy_pjrt.errors.PluginNotFound:
        print("no CUDA plugin is installed (pip install jax-cuda13-pjrt): nothing to show")
        return
    if plugin.platform != "cuda":
        print(f"{plugin!r} is for {plugin.platform}: give a CUDA plugin")
        return
    with ppy_pjrt.Topology.create(plugin, "h200", target_config=target("h200"), topology="1x1x1") as topology:
        program = topology.compile(PROGRAM)
        blob = program.serialize()
        print(f"for {topology.devices[0].kind}: {program.signature}, {len(blob)} bytes, device code: {b'ELF' in blob}")


if __name__ == "__main__":
    main()
