"""Named inputs, weights loaded only when a program needs them, and donation: results become inputs on the device.

python 07_named_programs.py [PLUGIN]
"""

import sys

import numpy as np
import ppy_pjrt

STEP = """
module { func.func public @main(%theta: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %grad: tensor<8xf32>)
    -> tensor<8xf32> {
  %0 = stablehlo.subtract %theta, %grad : tensor<8xf32>
  return %0 : tensor<8xf32>
} }
"""


def load(name: str) -> np.ndarray:
    print("loading", name)
    return np.full(8, 8.0 if name == "theta" else 0.5, np.float32)


def main() -> None:
    with ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client, ppy_pjrt.Session(client) as session:
        step = session.program(STEP, [ppy_pjrt.Slot("theta", "float32", (8,)), "grad"], outputs=["theta"])
        session.bind_many({name: lambda name=name: load(name) for name in ("theta", "grad", "never used")})
        for _ in range(10):
            session.feed_back(step())
        print("theta:", session.get("theta").tolist()[:2], "not loaded:", session.pending)
        assert session.get("theta").tolist() == [3.0] * 8 and session.pending == ["never used"]


if __name__ == "__main__":
    main()
