"""The compile cache: executables on disk, keyed by everything that could change them.

The key covers the plugin file itself (its digest), its API and platform versions, the topology's fingerprint (CPU
features), StableHLO range, XLA flags, options and the program. Entries carry a digest: a damaged one is a miss and is
removed. Writes are atomic; the size is bounded, least recently used out first. Losing the cache costs time, only.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import PjrtError
from .folders import default_folder

if TYPE_CHECKING:
    from .client import Client
    from .plugin import Plugin

_MAGIC = b"PPYPJRT1"
_FLAGS = ("XLA_FLAGS", "LIBTPU_INIT_ARGS", "TF_XLA_FLAGS")


class CompileCache:
    """A folder of compiled programs. Any number of processes may share one."""

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, max_bytes: int = 4 << 30) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._lock = threading.Lock()

    def key(self, client: Client, program: str | bytes, options: bytes, form: str | None) -> str:
        """The name of an entry."""
        code = program.encode() if isinstance(program, str) else bytes(program)
        flags = "\0".join(f"{name}={os.environ.get(name, '')}" for name in _FLAGS).encode()
        devices = ",".join(f"{device.kind}:{device.id}" for device in client.all_devices).encode()
        parts = (*identity(client), devices, flags, options, (form or "mlir").encode(), code)
        digest = hashlib.sha256()
        for part in parts:
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def get(self, key: str) -> bytes | None:
        """An entry; None where there is none that is whole."""
        path = self._path(key)
        try:
            raw = path.read_bytes()
        except OSError:
            self._missed()
            return None
        head, digest, blob = raw[:8], raw[8:40], raw[40:]
        if head != _MAGIC or hashlib.sha256(blob).digest() != digest:
            self.drop(key)
            self._missed()
            return None
        try:
            os.utime(path)
        except OSError:
            pass  # read-only cache: it works, and only forgets what was used last
        with self._lock:
            self.hits += 1
        return blob

    def _missed(self) -> None:
        with self._lock:
            self.misses += 1

    def put(self, key: str, blob: bytes) -> None:
        """Writes an entry; a full or read-only disk is no error."""
        path = self._path(key)
        temporary = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(blob).digest() + blob)
            os.replace(temporary, path)
            temporary = None
            self._trim()
        except OSError:
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)

    def drop(self, key: str) -> None:
        """Removes an entry."""
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError:
            pass  # somebody else's cache; the entry stays a miss

    def clear(self) -> None:
        """Removes every entry."""
        for path in self._entries():
            path.unlink(missing_ok=True)

    def _entries(self) -> list[Path]:
        return [path for path in self.folder.glob("??/*") if path.is_file()]

    def size(self) -> int:
        """Bytes of all entries."""
        return sum(path.stat().st_size for path in self._entries())

    def _trim(self) -> None:
        aged = []
        for path in self._entries():
            try:
                status = path.stat()
            except FileNotFoundError:
                continue  # another process trimmed it
            aged.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in aged)
        for _, size, path in sorted(aged, key=lambda item: item[0]):
            if total <= self.max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size


def identity(client: Client) -> tuple[bytes, ...]:
    """Everything about a plugin and its devices that a compiled program depends on."""
    plugin: Plugin = client.plugin
    try:
        fingerprint = str(client.topology.fingerprint)
    except PjrtError:
        # Older than 0.101: the CPU's own features stand in.
        fingerprint = _host_features() if client.platform == "cpu" else ""
    return (
        plugin.digest.encode(), repr(plugin.api_version).encode(), client.platform_name.encode(),
        client.platform_version.encode(), fingerprint.encode(), repr(plugin.stablehlo_versions).encode(),
    )  # fmt: skip


def _host_features() -> str:
    import platform

    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("flags", "Features")):
                return line
    except OSError:
        pass  # no such file off Linux
    return platform.processor() + platform.machine()
