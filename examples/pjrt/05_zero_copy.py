"""DLPack both ways, and host memory used in place.

python 05_zero_copy.py [PLUGIN]
"""

import sys

import numpy as np
import ppy_pjrt


def main() -> None:
    with ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client:
        buffer = client.put(np.arange(8, dtype=np.float32))
        if client.platform != "cpu":
            print("NumPy cannot see device memory; use torch or jax as the other side")
            return
        view = np.from_dlpack(buffer)
        assert view.__array_interface__["data"][0] == buffer.device_pointer()
        buffer.close()  # the view keeps what it shows
        print("still", view.tolist())

        spacious = np.empty(64 + 32, np.float32)
        start = -spacious.ctypes.data % 64 // 4  # the CPU's code wants 64-byte boundaries
        aligned = spacious[start : start + 32]
        aligned[:] = 1
        adopted = client.from_dlpack(aligned)
        aligned[0] = 5
        print("the buffer sees", adopted.tolist()[:2])
        assert adopted.tolist()[0] == 5


if __name__ == "__main__":
    main()
