"""Several devices: replicas that add up, and one array split by the partitioner.

python 06_many_devices.py [PLUGIN]
"""

import sys

import numpy as np
import ppy_pjrt

ALL_REDUCE = """
module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
} }
"""

SPLIT = """
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.multiply %a, %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
"""


def main() -> None:
    with ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client:
        if len(client.devices) < 2:
            print("one device only: nothing to show")
            return
        reduce = client.compile(ALL_REDUCE, ppy_pjrt.CompileOptions(num_replicas=2))
        rows = reduce.execute_sharded([[np.full(4, 1, np.float32)], [np.full(4, 2, np.float32)]])
        print("sum on each device:", [row[0].tolist() for row in rows])
        assert all(row[0].tolist() == [3] * 4 for row in rows)

        split = client.compile(SPLIT, ppy_pjrt.CompileOptions(num_partitions=2, use_spmd_partitioning=True))
        whole = np.arange(8, dtype=np.float32)
        print("one device's part:", split.signature)
        parts = split.execute_sharded([[whole[:4]], [whole[4:]]])
        assert [v for row in parts for v in row[0].tolist()] == (whole * whole).tolist()


if __name__ == "__main__":
    main()
