"""The PPY runtime: what a compiled program needs at launch, and nothing of the compiler.

Standard library only, and no module here imports ``ppy_compiler``. The parts:

``abi``
    The contract between compiled code and this runtime as data: version, kinds, status codes, signatures.
``manifest``
    The description a build writes of what it made, its validation, and the cache's layout on disk. With ``abi``
    the only part that the compiler imports.
``launch``
    Running a program: from a built artifact, from the cache, or from its source.
``binding``
    Native entries on ordinary Python function objects: installing them, asking for them.
``hook``
    The import hook for ``.ppy`` files.

Nothing is imported here: a warm ``ppy run`` pays only for the modules it names.
"""

from __future__ import annotations

__version__ = "0.1.0"
