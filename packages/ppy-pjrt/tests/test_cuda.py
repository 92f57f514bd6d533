"""The CUDA driver API against a driver made for the tests, and without any."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ppy_pjrt import cuda
from ppy_pjrt.errors import ArgumentMismatch

pytestmark = pytest.mark.host

# A driver over host memory: one kernel, `twice`, which doubles floats; every call is checked as a real one would be.
_DRIVER = r"""
#include <stdlib.h>
#include <string.h>
static int started;
int cuInit(unsigned flags) { started = 1; return flags ? 1 : 0; }
int cuDriverGetVersion(int* v) { *v = 13010; return started ? 0 : 3; }
int cuGetErrorString(int code, const char** text) {
  *text = code == 218 ? "a PTX JIT compilation failed" : "some error"; return 0; }
int cuModuleLoadData(void** m, const char* image) {
  if (strncmp(image, ".version", 8)) return 218; *m = malloc(1); return 0; }
int cuModuleGetFunction(void** f, void* m, const char* name) {
  if (strcmp(name, "twice")) return 500; *f = m; return 0; }
int cuModuleUnload(void* m) { free(m); return 0; }
int cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** params, void** extra) {
  if (!f || gy != 1 || gz != 1 || by != 1 || bz != 1 || stream != (void*)7 || shared != 16 || extra) return 1;
  float* in = *(float**)params[0]; float* out = *(float**)params[1]; unsigned n = *(unsigned*)params[2];
  for (unsigned i = 0; i < n && i < gx * bx; i++) out[i] = 2 * in[i];
  return 0;
}
int cuStreamCreate(void** s, unsigned flags) { *s = (void*)(flags ? 9L : 7L); return 0; }
int cuStreamDestroy_v2(void* s) { return s ? 0 : 400; }
int cuStreamSynchronize(void* s) { return 0; }
int cuMemcpyDtoDAsync_v2(void* d, void* s, size_t n, void* stream) { memcpy(d, s, n); return 0; }
int cuMemcpyDtoH_v2(void* d, void* s, size_t n) { memcpy(d, s, n); return 0; }
int cuMemcpyHtoD_v2(void* d, void* s, size_t n) { memcpy(d, s, n); return 0; }
"""

_USE = """
import array, ctypes
from ppy_pjrt import cuda
assert cuda.available() and cuda.driver_version() == (13, 1)
source, target = array.array("f", range(8)), array.array("f", [0] * 8)
place = lambda a: a.buffer_info()[0]
class Device:
    def __init__(self, a): self.__cuda_array_interface__ = {"data": (place(a), False)}
with cuda.Module(".version 7.0") as module:
    twice = module.function("twice")
    params = [Device(source), ctypes.c_void_p(place(target)), ctypes.c_uint32(8)]
    twice.launch((2,), (4, 1, 1), params, stream=7, shared_bytes=16)
    assert list(target) == [0, 2, 4, 6, 8, 10, 12, 14]
    for call in (lambda: module.function("other"), lambda: cuda.Module("garbage")):
        try:
            call()
        except cuda.CudaError as error:
            print(error.number, error)
try:
    twice.launch(1, 1)
except cuda.CudaError as error:
    print(error)
with cuda.Stream() as stream, cuda.Stream(blocking=True) as other:
    assert (stream.handle, other.handle) == (9, 7)
    cuda.copy_on_device(place(target), place(source), 32, stream.handle)
    stream.synchronize()
assert target == source
host = array.array("f", [0] * 8)
cuda.copy_to_host(host, place(source))
assert host == source
cuda.copy_to_device(place(target), array.array("f", [5] * 8))
assert list(target) == [5] * 8
"""


def test_modules_launches_streams_and_copies(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    driver = tmp_path / "libcuda.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(driver)], input=_DRIVER, text=True, check=True)
    environment = {**os.environ, cuda.LIBRARY_VARIABLE: str(driver)}
    done = subprocess.run([sys.executable, "-c", _USE], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "500 cuModuleGetFunction failed with 500: some error",
        "218 cuModuleLoadData failed with 218: a PTX JIT compilation failed",
        "the module of twice was unloaded",
    ]


def test_without_a_driver() -> None:
    code = "from ppy_pjrt import cuda\nprint(cuda.available())\ncuda.Module('x')"
    environment = {**os.environ, cuda.LIBRARY_VARIABLE: "libnosuchcuda.so"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout == "False\n" and "no CUDA driver on this machine" in done.stderr


def test_grids_and_parameters() -> None:
    assert [d.value for d in cuda.dimensions((2, 3))] == [2, 3, 1]
    for bad in (0, (), (1, 2, 3, 4), (1, -1), (1.5,)):
        with pytest.raises(ArgumentMismatch):
            cuda.dimensions(bad)  # type: ignore[arg-type]
    value = ctypes.c_float(1.5)
    assert cuda.parameter(value) is value
    for bare in (1, 1.5, True):
        with pytest.raises(ArgumentMismatch, match="has no width"):
            cuda.parameter(bare)
    with pytest.raises(ArgumentMismatch, match="str cannot"):
        cuda.parameter("x")
