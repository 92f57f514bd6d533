"""``ManifestError``: an artifact that cannot be run, with the reason and the remedy."""

from __future__ import annotations


class ManifestError(RuntimeError):
    """The artifact cannot be run: ``reason`` says why, ``remedy`` what to do about it."""

    code = "E1801"
    """What ``ppy explain`` knows this as."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason} ({remedy})")
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[ManifestError], tuple[str, str]]:
        return type(self), (self.reason, self.remedy)

    def report(self, folder: str) -> str:
        """The lines a person sees on standard error, in the compiler's words for the same thing."""
        return f"error[{self.code}]: the artifact in `{folder}` cannot be used: {self.reason}\n  help: {self.remedy}"
