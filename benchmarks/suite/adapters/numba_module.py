"""Time the kernel of a module whose functions Numba compiles, unguarded: `numba_module.py FOLDER MODULE ARGUMENT…`."""

from __future__ import annotations

import importlib
import sys
import types

from numba import njit

folder, name = sys.argv[1:3]
del sys.argv[1:3]
sys.path.insert(0, folder)
module = importlib.import_module(name)
for key, value in list(vars(module).items()):
    if isinstance(value, types.FunctionType) and value.__module__ == name:
        setattr(module, key, njit(value))
module.main(module.kernel)
