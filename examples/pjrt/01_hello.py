"""The smallest program: compile StableHLO, run it, read the result. Only the standard library.

python 01_hello.py [PLUGIN]
"""

import array
import sys

import ppy_pjrt

PROGRAM = """
module { func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
} }
"""


def main() -> None:
    plugin = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    with ppy_pjrt.Client(plugin) as client:
        add = client.compile(PROGRAM)
        (total,) = add(array.array("f", [1, 2, 3, 4]), array.array("f", [10, 20, 30, 40]))
        print(total.dtype, total.shape, total.tolist())
        assert total.tolist() == [11, 22, 33, 44]


if __name__ == "__main__":
    main()
