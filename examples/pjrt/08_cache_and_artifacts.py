"""The compile cache, and one file that runs on any plugin: compiled code where it fits, the program where not.

python 08_cache_and_artifacts.py [PLUGIN]
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import ppy_pjrt

PROGRAM = """
module { func.func public @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
} }
"""


def main() -> None:
    x = np.full((64, 64), 0.01, np.float32)
    with (
        tempfile.TemporaryDirectory() as folder,
        ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client,
    ):
        cache = ppy_pjrt.CompileCache(folder)
        for attempt in ("cold", "warm"):
            start = time.perf_counter()
            executable = client.compile(PROGRAM, cache=cache)
            print(f"{attempt}: {(time.perf_counter() - start) * 1e3:.1f} ms")
        assert cache.hits == 1
        path = Path(folder, "square.ppyx")
        ppy_pjrt.Artifact.build(client, PROGRAM, author="example").write(path)
        artifact = ppy_pjrt.Artifact.read(path)
        print("artifact:", artifact.signature, artifact.platforms)
        again = artifact.load(client, strict=True)
        assert np.asarray(again(x)[0]).tobytes() == np.asarray(executable(x)[0]).tobytes()


if __name__ == "__main__":
    main()
