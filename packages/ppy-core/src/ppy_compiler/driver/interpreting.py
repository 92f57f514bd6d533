"""`--engine interpreter`: a program through the reference interpreter of Python IR, the oracle of everything else."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ppy_compiler.driver import stages
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.support.source import Source


def interpreted(source: Source) -> Callable[[dict[str, Any]], None]:
    """Build the IR of `source` now; what comes back runs its top level in a namespace. Raises CPython's SyntaxError."""
    path = os.path.abspath(source.path)
    named = Source(path, source.data, source.text)
    code = stages.compiled(named)
    module = stages.python_ir(named, MAIN, code)

    def run(namespace: dict[str, Any]) -> None:
        from ppy_compiler.dialects.py.reference.run import recursion_limits, run_module

        with recursion_limits():
            run_module(module, code, namespace)

    return run
