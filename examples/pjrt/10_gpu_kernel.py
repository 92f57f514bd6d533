"""A CUDA kernel launched from an FFI handler on XLA's own stream: PTX in, nothing else needed.

python 10_gpu_kernel.py [PLUGIN]             (a CUDA plugin and a GPU)
"""

import ctypes
import sys

import numpy as np
import ppy_pjrt
from ppy_pjrt import cuda, ffi

PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry twice(.param .u64 source, .param .u64 target, .param .u32 count) {
  .reg .pred %p; .reg .f32 %f; .reg .b32 %r<5>; .reg .b64 %d<6>;
  ld.param.u64 %d1, [source]; ld.param.u64 %d2, [target]; ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mul.wide.u32 %d3, %r2, 4;
  add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;
  ld.global.f32 %f, [%d4]; add.f32 %f, %f, %f; st.global.f32 [%d5], %f;
  ret;
}
"""

PROGRAM = """
module { func.func public @main(%a: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.custom_call @example.twice(%a) {api_version = 4 : i32} : (tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
} }
"""


def main() -> None:
    if not cuda.available():
        print("no CUDA driver on this machine: nothing to show")
        return
    client = ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cuda")
    kernel: list[cuda.Function] = []

    @ffi.handler(client.plugin, "example.twice")
    def twice(call: ffi.Call) -> None:
        if not kernel:
            kernel.append(cuda.Module(PTX).function("twice"))
        (x,), (y,) = call.args, call.results
        kernel[0].launch(-(-x.size // 128), 128, [x, y, ctypes.c_uint32(x.size)], stream=call.stream)

    x = np.arange(1000, dtype=np.float32)
    (y,) = client.compile(PROGRAM)(x)
    assert np.array_equal(np.asarray(y), 2 * x)
    print("handler", twice.name, "was called", twice.calls, "time")


if __name__ == "__main__":
    main()
