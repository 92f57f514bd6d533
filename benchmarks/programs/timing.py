"""What turns a program with a `kernel` into a benchmark: each line on standard input asks for one run.

A run answers with one line: the result and the CPU seconds that it took. The arguments are integers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def main(kernel: Callable[..., object]) -> None:
    arguments = [int(text) for text in sys.argv[1:]]
    for _ in sys.stdin:
        begin = time.process_time()
        result = kernel(*arguments)
        elapsed = time.process_time() - begin
        print(result, f"{elapsed:.9f}", flush=True)
