"""Cache directories and what lies in them.

A cache is disposable: every read verifies itself, every failure is a miss, and no function here raises because of the
state of a disk. ``open_cache`` lists the directories to use, best first:

1. the one asked for (an option, ``PPY_CACHE_DIR``), else ``.ppy-cache`` beside the project's ``pyproject.toml``;
2. the user's cache directory (``$XDG_CACHE_HOME/ppy``, ``~/Library/Caches/ppy`` or ``%LOCALAPPDATA%\\ppy\\Cache``);
3. ``ppy-cache-UID`` in the temporary directory.

Reading tries each in turn; writing takes the first that accepts, so a read-only or full one falls through to the next
and having none costs only rebuilds. Only directories that the user (or root) owns are used: what is in them is loaded
as native code.

Layout of a cache directory, versioned by its first folder::

    v1/KIND/KK/KEY            an entry: one line with format and SHA-256 of the rest, then the rest
    v1/KIND.d/KK/KEY/...      a tree of plain files, for what other programs must open (libraries)

``KEY`` is hexadecimal, from ``content_key``, and ``KK`` its first two digits. The compiler names the kinds. Files
appear by rename only, so several processes and a ``kill -9`` leave at worst a ``*.tmp``, which ``clear`` removes.
"""

from __future__ import annotations

import os
import sys

from .files import is_temporary, new_sha256, read_bytes, sha256_of, temporary_name, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LAYOUT = "v1"
PROJECT_DIRECTORY = ".ppy-cache"
_MAGIC = b"ppy-cache 1 "
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# This directory is PPY's cache; it can be deleted at any time.\n"


def content_key(*parts: str | bytes) -> str:
    """The key of what ``parts`` determine: a SHA-256 over their lengths and contents, so that no two lists collide by
    concatenation."""
    digest = new_sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%c%d:" % (b"s" if isinstance(part, str) else b"b", len(data)))
        digest.update(data)
    return digest.hexdigest()


def project_directory(start: str) -> str | None:
    """The nearest folder at or above ``start`` that holds a ``pyproject.toml``, or None."""
    folder = os.path.abspath(start)
    while True:
        if os.path.exists(os.path.join(folder, "pyproject.toml")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def user_directory() -> str | None:
    """The user's cache directory for PPY, or None when the user has no home."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return os.path.join(base, "ppy", "Cache") if base else None
    configured = os.environ.get("XDG_CACHE_HOME")
    if configured and os.path.isabs(configured):
        return os.path.join(configured, "ppy")
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    return os.path.join(home, "Library/Caches/ppy" if sys.platform == "darwin" else ".cache/ppy")


def temporary_directory() -> str:
    """The last resort: this user's folder in the system's temporary directory."""
    base = next((d for d in map(os.environ.get, ("TMPDIR", "TEMP", "TMP")) if d), "/tmp")
    return os.path.join(base, f"ppy-cache-{_user_id()}")


def _user_id() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def open_cache(start: str | None = None, explicit: str | None = None) -> Cache:
    """The cache for a program in the folder ``start``. ``explicit`` (else ``PPY_CACHE_DIR``) goes before the others;
    ``none`` there means no cache at all."""
    explicit = explicit or os.environ.get("PPY_CACHE_DIR") or None
    if explicit == "none":
        return Cache(())
    roots: list[str | None] = [explicit]
    if explicit is None and start is not None:
        project = project_directory(start)
        roots = [os.path.join(project, PROJECT_DIRECTORY) if project else None]
    roots += [user_directory(), temporary_directory()]
    return Cache([os.path.abspath(root) for root in roots if root])


def _usable(root: str) -> bool:
    """Whether ``root`` exists and nobody else can have put anything there."""
    try:
        status = os.lstat(root) if root == temporary_directory() else os.stat(root)
    except OSError:
        return False
    if status.st_mode & 0o170000 != 0o040000:
        return False
    return not hasattr(os, "geteuid") or _user_id() == 0 or status.st_uid in (0, _user_id())


class Cache:
    """A chain of cache directories, best first, used as one."""

    __slots__ = ("roots",)

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = tuple(dict.fromkeys(roots))

    def __repr__(self) -> str:
        return f"Cache({list(self.roots)!r})"

    def existing(self) -> list[str]:
        """The directories of the chain that exist and may be read."""
        return [root for root in self.roots if _usable(root)]

    def get(self, kind: str, key: str) -> bytes | None:
        """The entry's content, or None when there is none or it is damaged."""
        return next(self.candidates(kind, key), None)

    def candidates(self, kind: str, key: str) -> Iterator[bytes]:
        """The undamaged entries under ``key``, best directory first. For content that can be outdated: a directory that
        became read-only may hold an older one than the next."""
        for root in self.existing():
            try:
                data = read_bytes(_entry(root, kind, key))
            except OSError:
                continue
            header, _, payload = data.partition(b"\n")
            if header == _MAGIC + sha256_of(payload).encode():
                yield payload

    def put(self, kind: str, key: str, payload: bytes) -> str | None:
        """Store an entry in the first directory that accepts it; that directory, or None when none does."""
        data = b"%s%s\n%s" % (_MAGIC, sha256_of(payload).encode(), payload)
        for root in self.roots:
            path = _entry(root, kind, key)
            try:
                _prepare(root, os.path.dirname(path))
                write_atomic(path, data)
            except OSError:
                continue
            return root
        return None

    def tree(self, kind: str, key: str) -> str | None:
        """The folder of plain files stored under ``key``, or None. Whoever opens them verifies them: a manifest inside
        says what they must be."""
        for root in self.existing():
            path = _entry(root, f"{kind}.d", key)
            if os.path.isdir(path):
                return path
        return None

    def tree_paths(self, kind: str, key: str) -> Iterator[str]:
        """Where ``put_tree`` would put the folder, best first: for content that must name its own place."""
        for root in self.roots:
            yield _entry(root, f"{kind}.d", key)

    def put_tree(self, kind: str, key: str, files: Mapping[str, bytes]) -> str | None:
        """Store a folder of plain files (names relative, parts separated by ``/``) in the first directory that accepts
        it; the folder, or None. A folder that is there already stays if it is the same, for somebody may be using it;
        else it is damaged, and is replaced."""
        for root in self.roots:
            path = _entry(root, f"{kind}.d", key)
            try:
                _prepare(root, os.path.dirname(path))
                _write_tree(path, files)
            except OSError:
                continue
            return path
        return None

    def usage(self) -> list[tuple[str, int, int]]:
        """(directory, number of files, bytes) of each existing directory."""
        rows = []
        for root in self.existing():
            sizes = [entry.stat(follow_symlinks=False).st_size for entry in _walk(os.path.join(root, LAYOUT))]
            rows.append((root, len(sizes), sum(sizes)))
        return rows

    def clear(self) -> int:
        """Remove everything PPY put into these directories; the number of files that are gone."""
        removed = 0
        for root in self.existing():
            for name in _names(root):
                if name.startswith("v") and name[1:].isdigit():
                    removed += remove_tree(os.path.join(root, name))
        return removed


def _entry(root: str, kind: str, key: str) -> str:
    return os.path.join(root, LAYOUT, kind, key[:2], key)


def _prepare(root: str, folder: str) -> None:
    """Make the folders of an entry; a new cache directory is private, tagged as a cache and ignored by git."""
    if os.path.isdir(folder) and _usable(root):
        return
    if not os.path.isdir(root):
        os.makedirs(os.path.dirname(root), exist_ok=True)
        try:
            os.mkdir(root, 0o700)
            write_atomic(os.path.join(root, "CACHEDIR.TAG"), _TAG)
            write_atomic(os.path.join(root, ".gitignore"), b"*\n")
        except FileExistsError:  # another process was first
            pass
    if not _usable(root):
        raise PermissionError(f"{root!r} belongs to somebody else")
    os.makedirs(folder, exist_ok=True)


def _write_tree(path: str, files: Mapping[str, bytes]) -> None:
    temporary = temporary_name(path)
    try:
        os.mkdir(temporary)
        for name, data in files.items():
            target = os.path.join(temporary, *name.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as stream:
                stream.write(data)
        for _ in range(3):
            if _holds(path, files):
                return
            if os.path.isdir(path):
                old = temporary_name(path)
                os.rename(path, old)
                remove_tree(old)
            try:
                os.rename(temporary, path)
            except OSError:  # another process put its own there in the meantime
                if not os.path.isdir(path):
                    raise
                continue
            return
    finally:
        remove_tree(temporary)


def _holds(path: str, files: Mapping[str, bytes]) -> bool:
    """Whether the folder has exactly these files."""
    if sum(1 for _ in _walk(path)) != len(files):
        return False
    try:
        return all(read_bytes(os.path.join(path, *name.split("/"))) == data for name, data in files.items())
    except OSError:
        return False


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _walk(folder: str) -> Iterator[os.DirEntry[str]]:
    """The files at and under ``folder``, rubbish of interrupted writes included."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        elif entry.is_file(follow_symlinks=False):
            yield entry


def remove_tree(path: str) -> int:
    """Remove a folder and all in it, as far as the disk allows; the number of files removed."""
    removed = 0
    try:
        entries = list(os.scandir(path))
    except OSError:
        return 0
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            removed += remove_tree(entry.path)
            continue
        try:
            os.unlink(entry.path)
            removed += 1
        except OSError:
            pass
    try:
        os.rmdir(path)
    except OSError:
        pass
    return removed


def leftovers(root: str) -> list[str]:
    """Files that interrupted writes left in a cache directory."""
    return [entry.path for entry in _walk(os.path.join(root, LAYOUT)) if is_temporary(entry.name)]
