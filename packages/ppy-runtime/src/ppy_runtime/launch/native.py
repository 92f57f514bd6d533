"""Opening native libraries and serving the units in them.

Takes a manifest; gives, for a module, the function that runs it natively, or the reason why there is none. Guarantees
that a library is opened only when its content is what the manifest says, that one support library serves the whole
process, and that nothing here raises because of a library: a refusal is a reason, and the caller runs the source.
"""

from __future__ import annotations

import sys

from ..abi import UNIT_SYMBOL
from ..manifest.files import read_bytes, sha256_of
from ..manifest.python import cpu_features

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable
    from types import CodeType

    from ..manifest.document import LibraryRecord, Manifest, UnitRecord

    Execute = Callable[[dict[str, object], CodeType, str], object]
    """``ppy_unit``: runs a module in its dict; None, or NotImplemented when it refuses and has done nothing."""
    Loader = Callable[[str, str | None], Execute]
    """Opens a library of another format: (library's path, support library's path) to its ``ppy_unit``."""

LOADERS = "ppy.loaders"
"""Entry-point group of loaders for libraries that the system's own loader cannot open, by format."""

_support: dict[str, ctypes.PyDLL] = {}
"""The support library of this process by its content's digest: at most one."""


class Refused(Exception):
    """Why a unit cannot run natively here."""


class NotCompiled(Refused):
    """There is no native code of it."""


class Damaged(Refused):
    """The files with its native code are not what was built, or the system does not load them."""


def support_library() -> ctypes.PyDLL | None:
    """The support library this process uses, once a unit has needed one."""
    return next(iter(_support.values()), None)


def alone(function: Callable[..., object], *arguments: object) -> object:
    """Call ``function`` as if nothing called it: where native code is in use, neither the launcher's frames nor what
    they take of the recursion limit shows."""
    library = support_library()
    call = None if library is None else getattr(library, "ppy_call_alone", None)
    if call is None:
        return function(*arguments)
    import ctypes

    call.restype = ctypes.py_object
    call.argtypes = (ctypes.py_object, ctypes.py_object)
    return call(function, arguments)


def _verified(manifest: Manifest, record: LibraryRecord) -> str:
    path = manifest.path(record["file"])
    try:
        digest = sha256_of(read_bytes(path))
    except OSError as error:
        raise Damaged(f"{path!r} cannot be read: {error.strerror}") from None
    if digest != record["sha256"]:
        raise Damaged(f"{path!r} was altered after the build")
    return path


def _open_support(manifest: Manifest, record: LibraryRecord) -> str:
    """Open the support library before the units that link against it, all of whose symbols it must give away."""
    import ctypes

    path = _verified(manifest, record)
    if record["sha256"] in _support or record["format"] != "shared":
        return path
    if _support:
        raise Refused("another version of the support library is in use in this process")
    try:
        library = ctypes.PyDLL(path, mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise Damaged(f"the support library cannot be loaded: {error}") from None
    check = getattr(library, "ppy_support_check", None)
    if check is not None and check() != 0:
        text = library.ppy_support_reason
        text.restype = ctypes.c_char_p
        raise Refused(f"the support library refuses this interpreter: {(text() or b'').decode()}")
    _support[record["sha256"]] = library
    let_go = getattr(library, "ppy_let_go", None)
    if let_go is not None:  # after the exit handlers of the program, which come later and so run earlier
        import atexit

        let_go.restype = None
        atexit.register(let_go)
    return path


def _open_shared(path: str) -> Execute:
    import ctypes

    try:
        function = getattr(ctypes.PyDLL(path), UNIT_SYMBOL)
    except (OSError, AttributeError) as error:
        raise Damaged(f"{path!r} cannot be loaded: {error}") from None
    function.restype = ctypes.py_object
    function.argtypes = (ctypes.py_object, ctypes.py_object, ctypes.py_object)
    execute: Execute = function
    return execute


def _open_registered(path: str, support: str | None, name: str) -> Execute:
    """Open a library through the loader that a distribution registered for its format."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=LOADERS, name=name):
        try:
            loader: Loader = entry.load()
            return loader(path, support)
        except Exception as error:  # a third party's loader may fail in any way; the source is there
            raise Refused(f"the loader of format {name!r} failed: {error}") from None
    raise Refused(f"nothing installed here loads a library of format {name!r}")


def interpreter_refusal() -> str | None:
    """Why no native code of ours runs under this interpreter, or None: these are untested, so they run the source."""
    if "t" in getattr(sys, "abiflags", ""):
        return "free-threaded builds run the source"
    try:
        import ctypes
    except ImportError as error:  # isolated subinterpreters refuse it, and some builds of Python lack it
        return f"native code needs ctypes: {error}"
    current, main = ctypes.pythonapi.PyInterpreterState_Get, ctypes.pythonapi.PyInterpreterState_Main
    current.restype = main.restype = ctypes.c_void_p
    return None if current() == main() else "subinterpreters run the source"


class PrebuiltBinder:
    """Serves the units a manifest recorded, out of its native libraries.

    ``library`` replaces the file of every unit's library, for a build that put all units into one: it must have the
    content the manifest recorded all the same.
    """

    def __init__(self, manifest: Manifest, library: str | None = None) -> None:
        self.manifest = manifest
        self._library = library
        self._opened: dict[str, Execute] = {}

    def unit(self, module: str) -> Execute:
        """What runs ``module`` natively; raises Refused with the reason when nothing can."""
        unit = self.manifest.unit(module)
        if unit is None:
            raise Refused(f"the manifest has no unit {module!r}")
        record = unit["library"]
        if record is None:
            raise NotCompiled("nothing in it was compiled")
        reason = interpreter_refusal()
        if reason is not None:
            raise Refused(reason)
        if self.manifest.document["python"]["optimize"] != sys.flags.optimize:
            raise Refused(f"it was built for optimisation level {self.manifest.document['python']['optimize']}")
        features = self.manifest.document["target"]["features"]
        if features and (missing := set(features).difference(cpu_features())):
            raise Refused(f"it was built for another processor: this one lacks {', '.join(sorted(missing))}")
        opened = self._opened.get(record["sha256"])
        if opened is None:
            opened = self._opened[record["sha256"]] = self._open(unit, record)
        return opened

    def _open(self, unit: UnitRecord, record: LibraryRecord) -> Execute:
        support = self.manifest.document["support"]
        support_path = _open_support(self.manifest, support) if support is not None else None
        if self._library is not None:
            record = {"file": self._library, "sha256": record["sha256"], "format": record["format"]}
        path = _verified(self.manifest, record)
        if record["format"] == "shared":
            return _open_shared(path)
        return _open_registered(path, support_path, record["format"])
