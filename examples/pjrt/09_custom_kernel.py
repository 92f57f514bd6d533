"""A Python function called from inside a compiled program: attributes, state made once, errors that reach the caller.

python 09_custom_kernel.py [PLUGIN]          (a CPU plugin)
"""

import sys

import numpy as np
import ppy_pjrt
from ppy_pjrt import ffi

PROGRAM = """
module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @example.scale(%a) {api_version = 4 : i32, backend_config = {by = 3.0 : f32}}
      : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
} }
"""


def instantiate(call: ffi.Call) -> dict[str, float]:
    print("instantiated once, with", call.attrs)
    return {"by": call.attrs["by"]}


def execute(call: ffi.Call) -> None:
    (x,), (y,) = call.args, call.results
    if np.isnan(np.asarray(x)).any():
        raise ValueError("a NaN came in")
    np.asarray(y)[:] = np.asarray(x) * call.state["by"]


def main() -> None:
    client = ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu")
    ffi.register(client.plugin, "example.scale", execute, instantiate=instantiate)
    executable = client.compile(PROGRAM)
    x = np.arange(4, dtype=np.float32)
    print(executable(x)[0].tolist())
    assert executable(x)[0].tolist() == (-3 * x).tolist()
    try:
        executable(np.full(4, np.nan, np.float32))[0].wait()
    except ppy_pjrt.PjrtError as error:
        print("the caller sees:", error)


if __name__ == "__main__":
    main()
