"""Allocation failures explained: the allocator's state on each device and what to try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import PjrtError, ResourceExhausted

if TYPE_CHECKING:
    from .client import Client

_FIRST = ("bytes_in_use", "bytes_limit", "largest_free_block_bytes", "peak_bytes_in_use", "num_allocs")


def human(count: int) -> str:
    """A byte count as people read it."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError(size)


def memory_summary(client: Client) -> str:
    """One line per device with its allocator's state, where the plugin tells."""
    lines = []
    for device in client.devices:
        try:
            stats = device.memory_stats()
        except PjrtError:
            continue
        names = [name for name in _FIRST if name in stats] + sorted(stats.keys() - set(_FIRST))
        shown = (f"{name}={human(stats[name]) if 'bytes' in name else stats[name]}" for name in names)
        lines.append(f"device {device.id}: " + ", ".join(shown))
    return "\n".join(lines)


def explain(client: Client, error: PjrtError) -> PjrtError:
    """An allocation failure with the state of the devices; any other error as it is."""
    if not isinstance(error, ResourceExhausted) or client.closed:
        return error
    parts = [error.message]
    if summary := memory_summary(client):
        parts.append("  device memory: " + summary.replace("\n", "\n                 "))
    if client.options:
        parts.append(f"  client create-options: {client.options}")
    parts.append("  hint: " + _hint(client))
    return ResourceExhausted("\n".join(parts), error.payloads)


def _hint(client: Client) -> str:
    if client.platform == "cpu":
        return "the host has no memory left for this; close buffers that are no longer needed, or use smaller shapes"
    if client.options.get("preallocate"):
        return "another process may hold the device; lower memory_fraction or set preallocate=False"
    fraction = client.options.get("memory_fraction")
    if isinstance(fraction, float) and fraction < 0.9:
        return f"this client may use {fraction:.0%} of the device; raise memory_fraction, or close and donate buffers"
    return "close or donate buffers that are no longer needed"


@contextmanager
def explained(client: Client) -> Iterator[None]:
    """Explains allocation failures raised inside."""
    try:
        yield
    except ResourceExhausted as error:
        raise explain(client, error) from None
