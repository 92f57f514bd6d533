"""Arrays from anywhere, and back: NumPy, memoryview, scalars, bfloat16, strides, reading without waiting.

python 03_arrays_in_and_out.py [PLUGIN]
"""

import asyncio
import sys

import numpy as np
import ppy_pjrt

PROGRAM = """
module { func.func public @main(%x: tensor<3x2xf32>, %k: tensor<f32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
} }
"""


async def read_later(buffer: ppy_pjrt.Buffer) -> list[list[float]]:
    return (await buffer.read()).tolist()


def main() -> None:
    with ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client:
        scale = client.compile(PROGRAM)
        print("signature:", scale.signature)
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        (y,) = scale(x.T, 2.0)  # a transposed view and a Python number
        print(np.asarray(y))
        assert np.asarray(y).tolist() == (2 * x.T).tolist()
        assert asyncio.run(read_later(y)) == y.tolist()
        half = client.put(x.tobytes()[:12], dtype="bfloat16", shape=(2, 3))
        print(half.dtype, half.shape, half.tolist()[0])
        try:
            scale(x, 2.0)
        except ppy_pjrt.errors.ArgumentMismatch as error:
            print("refused:", error)


if __name__ == "__main__":
    main()
