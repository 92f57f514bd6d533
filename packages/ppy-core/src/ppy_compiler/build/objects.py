"""Compiled pieces kept between builds: what makes editing one function of many cost one function.

A backend files a piece under the hash of whatever it was compiled from (a function's emitted text and the options that
matter), so an entry never goes stale and needs no owner. Losing one, or having no cache directory at all, costs time.
"""

from __future__ import annotations

from ppy_runtime.manifest.cache import Cache

_KIND = "object"


class ObjectCache:
    """The object store of a build (`backends.ObjectStore`), in the build's cache directories."""

    __slots__ = ("_cache", "hits", "misses")

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self.hits = 0
        self.misses = 0

    def get(self, key: str) -> bytes | None:
        """The piece filed under `key`, verified, or None."""
        data = self._cache.get(_KIND, key)
        if data is None:
            self.misses += 1
        else:
            self.hits += 1
        return data

    def put(self, key: str, data: bytes) -> None:
        """File a piece; a cache that takes nothing is no error."""
        self._cache.put(_KIND, key, data)
