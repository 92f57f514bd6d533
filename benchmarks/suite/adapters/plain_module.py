"""Time the kernel of a module that is imported from a folder: `plain_module.py FOLDER MODULE ARGUMENT…`."""

from __future__ import annotations

import importlib
import sys

folder, name = sys.argv[1:3]
del sys.argv[1:3]
sys.path.insert(0, folder)
module = importlib.import_module(name)
module.main(module.kernel)
