"""From compiled units to files: keys, stored objects and units, programs in the cache, artifacts.

Takes units in native IR and a backend; gives manifests (`ppy_runtime.manifest`) whose files lie in a cache directory
or in an artifact's folder. Guarantees that a key covers whatever could change the result, that a damaged, missing or
unwritable cache costs a rebuild and nothing else, and that an artifact's bytes depend on its inputs alone. Knows
nothing of projects, configuration or the command line.
"""

from __future__ import annotations
