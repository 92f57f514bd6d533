"""What can go wrong, each with its own type; every one of them is a ``PjrtError``.

One class per status of a plugin, and below them the kinds this client tells apart itself, before any call is made: they
name what was expected, what was found and, where versions are concerned, both versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .abi import enum

_OF_STATUS: dict[str, type[PjrtError]] = {}


class PjrtError(RuntimeError):
    """An error of a plugin or of this client. ``code`` is the status name, ``payloads`` what the plugin attached."""

    code = "UNKNOWN"

    def __init_subclass__(cls, status: str = "") -> None:
        """``status``: the class is the one of this status; its own subclasses have the status, too."""
        if status:
            cls.code = status
            _OF_STATUS[status] = cls

    def __init__(self, message: str, payloads: Mapping[str, bytes] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.payloads: dict[str, bytes] = dict(payloads or {})


# The statuses. Where Python has an exception for the same, it is one, too.


class Cancelled(PjrtError, status="CANCELLED"): ...


class Unknown(PjrtError, status="UNKNOWN"): ...


class InvalidArgument(PjrtError, ValueError, status="INVALID_ARGUMENT"): ...


class DeadlineExceeded(PjrtError, TimeoutError, status="DEADLINE_EXCEEDED"): ...


class NotFound(PjrtError, LookupError, status="NOT_FOUND"): ...


class AlreadyExists(PjrtError, status="ALREADY_EXISTS"): ...


class PermissionDenied(PjrtError, status="PERMISSION_DENIED"): ...


class ResourceExhausted(PjrtError, MemoryError, status="RESOURCE_EXHAUSTED"):
    """An allocation failed; the message carries the device's allocator state and a hint where they are known."""


class FailedPrecondition(PjrtError, status="FAILED_PRECONDITION"): ...


class Aborted(PjrtError, status="ABORTED"): ...


class OutOfRange(PjrtError, status="OUT_OF_RANGE"): ...


class Unimplemented(PjrtError, NotImplementedError, status="UNIMPLEMENTED"): ...


class Internal(PjrtError, status="INTERNAL"): ...


class Unavailable(PjrtError, status="UNAVAILABLE"): ...


class DataLoss(PjrtError, status="DATA_LOSS"): ...


class Unauthenticated(PjrtError, status="UNAUTHENTICATED"): ...


# What this client says itself.


class PluginNotFound(NotFound):
    """No plugin at the place asked for, or none anywhere; the message lists every place that was looked at."""


class NotAPlugin(InvalidArgument):
    """A file that cannot be loaded or that has no ``GetPjrtApi``."""


class IncompatiblePlugin(FailedPrecondition):
    """A plugin whose version of the API this client cannot speak."""


class Unsupported(Unimplemented):
    """The plugin lacks an entry, a field or an extension; ``name`` says which, ``since`` the version that has it."""

    def __init__(self, message: str, name: str = "", since: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.since = since


class HandleClosed(FailedPrecondition, ValueError):
    """Something used after it was closed, deleted or donated."""


class ForkedProcess(FailedPrecondition):
    """A client of the parent process used in a forked child: plugins do not survive fork."""


class ArgumentMismatch(InvalidArgument, TypeError):
    """Count, dtype, shape, device or client of an argument does not fit the program."""


class ArtifactMismatch(FailedPrecondition):
    """An artifact that this plugin cannot use, with every reason."""


@cache
def _statuses() -> dict[int, type[PjrtError]]:
    numbers = enum("PJRT_Error_Code")
    return {numbers[name][0]: kind for name, kind in _OF_STATUS.items()}


def error_for(code: int, message: str, payloads: Mapping[str, bytes] | None = None) -> PjrtError:
    """The exception of a plugin's status."""
    kind = _statuses().get(code)
    return PjrtError(f"{message} (status {code})", payloads) if kind is None else kind(message, payloads)


def code_number(code: str | int) -> int:
    """The number of an error's status, from its name or itself."""
    for number, kind in _statuses().items():
        if code == number or code == kind.code:
            return number
    raise InvalidArgument(f"{code!r} is the status of no error; there are {', '.join(_OF_STATUS)}")
