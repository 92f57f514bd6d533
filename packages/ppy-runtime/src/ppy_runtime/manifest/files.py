"""Content hashes and atomic writes: the two ways anything of ours touches a disk.

Cheap to import: the interpreter's own SHA-256 when it has one, so that a warm start loads no OpenSSL.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256 as new_sha256
elif sys.version_info >= (3, 12):
    try:
        from _sha2 import sha256 as new_sha256
    except ImportError:  # a build without the bundled hashes
        from hashlib import sha256 as new_sha256
else:
    try:
        from _sha256 import sha256 as new_sha256
    except ImportError:
        from hashlib import sha256 as new_sha256

__all__ = [
    "is_temporary",
    "new_sha256",
    "read_bytes",
    "sha256_of",
    "sha256_of_file",
    "temporary_name",
    "write_atomic",
]


def sha256_of(data: bytes) -> str:
    """The SHA-256 of ``data`` in hexadecimal."""
    return new_sha256(data).hexdigest()


def read_bytes(path: str) -> bytes:
    """The content of a file."""
    with open(path, "rb", buffering=0) as stream:
        return stream.readall()


def sha256_of_file(path: str) -> str | None:
    """The SHA-256 of a file's content, or None when it cannot be read."""
    try:
        return sha256_of(read_bytes(path))
    except OSError:
        return None


def temporary_name(path: str) -> str:
    """A name beside ``path`` that no other process or thread uses; recognised as rubbish by ``is_temporary``."""
    return f"{path}.{os.getpid()}.{os.urandom(6).hex()}.tmp"


def is_temporary(name: str) -> bool:
    """Whether a directory entry is what an interrupted write left behind."""
    return name.endswith(".tmp")


def write_atomic(path: str, data: bytes, *, executable: bool = False) -> None:
    """Write ``data`` to ``path`` so that every reader sees the old content or all of the new; OSError when it fails,
    and then nothing is left behind."""
    temporary = temporary_name(path)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777 if executable else 0o666)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
