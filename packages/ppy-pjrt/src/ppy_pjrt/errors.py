"""What can go wrong, each with its own type; every one of them is a ``PjrtError``.

A plugin's status codes map to one subclass each. The others are raised before any call is made: they name what was
expected, what was found and, where versions are concerned, both versions.
"""

from __future__ import annotations

from collections.abc import Mapping

from .abi import enum


class PjrtError(RuntimeError):
    """An error of a plugin or of this client. ``code`` is the status name, ``payloads`` what the plugin attached."""

    code = "UNKNOWN"

    def __init__(self, message: str, payloads: Mapping[str, bytes] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.payloads: dict[str, bytes] = dict(payloads or {})


class Cancelled(PjrtError):
    code = "CANCELLED"


class Unknown(PjrtError):
    code = "UNKNOWN"


class InvalidArgument(PjrtError, ValueError):
    code = "INVALID_ARGUMENT"


class DeadlineExceeded(PjrtError, TimeoutError):
    code = "DEADLINE_EXCEEDED"


class NotFound(PjrtError, LookupError):
    code = "NOT_FOUND"


class AlreadyExists(PjrtError):
    code = "ALREADY_EXISTS"


class PermissionDenied(PjrtError):
    code = "PERMISSION_DENIED"


class ResourceExhausted(PjrtError, MemoryError):
    """An allocation failed; the message carries the device's allocator state and a hint where they are known."""

    code = "RESOURCE_EXHAUSTED"


class FailedPrecondition(PjrtError):
    code = "FAILED_PRECONDITION"


class Aborted(PjrtError):
    code = "ABORTED"


class OutOfRange(PjrtError):
    code = "OUT_OF_RANGE"


class Unimplemented(PjrtError, NotImplementedError):
    code = "UNIMPLEMENTED"


class Internal(PjrtError):
    code = "INTERNAL"


class Unavailable(PjrtError):
    code = "UNAVAILABLE"


class DataLoss(PjrtError):
    code = "DATA_LOSS"


class Unauthenticated(PjrtError):
    code = "UNAUTHENTICATED"


class PluginNotFound(PjrtError, LookupError):
    """No plugin at the place asked for, or none anywhere; the message lists every place that was looked at."""

    code = "NOT_FOUND"


class NotAPlugin(PjrtError, ValueError):
    """A file that cannot be loaded or that has no ``GetPjrtApi``."""

    code = "INVALID_ARGUMENT"


class IncompatiblePlugin(PjrtError):
    """A plugin whose version of the API this client cannot speak."""

    code = "FAILED_PRECONDITION"


class Unsupported(Unimplemented):
    """The plugin lacks an entry, a field or an extension; ``name`` says which, ``since`` the version that has it."""

    def __init__(self, message: str, name: str = "", since: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.since = since


class HandleClosed(PjrtError, ValueError):
    """Something used after it was closed, deleted or donated."""

    code = "FAILED_PRECONDITION"


class ForkedProcess(PjrtError):
    """A client of the parent process used in a forked child: plugins do not survive fork."""

    code = "FAILED_PRECONDITION"


class ArgumentMismatch(PjrtError, TypeError, ValueError):
    """Count, dtype, shape, device or client of an argument does not fit the program."""

    code = "INVALID_ARGUMENT"


class ArtifactMismatch(PjrtError):
    """An artifact that this plugin cannot use, with every reason."""

    code = "FAILED_PRECONDITION"


_BY_CODE: dict[str, type[PjrtError]] = {
    cls.code: cls
    for cls in (
        Cancelled, Unknown, InvalidArgument, DeadlineExceeded, NotFound, AlreadyExists, PermissionDenied,
        ResourceExhausted, FailedPrecondition, Aborted, OutOfRange, Unimplemented, Internal, Unavailable, DataLoss,
        Unauthenticated,
    )
}  # fmt: skip


def error_for(code: int, message: str, payloads: Mapping[str, bytes] | None = None) -> PjrtError:
    """The exception of a plugin's status."""
    for name, (value, _) in enum("PJRT_Error_Code").items():
        if value == code and name in _BY_CODE:
            return _BY_CODE[name](message, payloads)
    return PjrtError(f"{message} (status {code})", payloads)


def code_number(code: str | int) -> int:
    """A status as a number, from its name or itself."""
    if isinstance(code, int):
        return code
    if code not in enum("PJRT_Error_Code"):
        raise InvalidArgument(f"no status is called {code!r}; there are {', '.join(enum('PJRT_Error_Code'))}")
    return enum("PJRT_Error_Code")[code][0]
