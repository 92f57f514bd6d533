"""``ManifestError``: an artifact that cannot be run, with the reason and the remedy."""

from __future__ import annotations


class ManifestError(RuntimeError):
    """The artifact cannot be run; ``reason`` says why, ``remedy`` what to do, ``code`` its name for ``ppy explain``."""

    def __init__(self, reason: str, remedy: str, code: str = "E1801") -> None:
        super().__init__(f"{reason} ({remedy})")
        self.reason = reason
        self.remedy = remedy
        self.code = code

    def __reduce__(self) -> tuple[type[ManifestError], tuple[str, str, str]]:
        return type(self), (self.reason, self.remedy, self.code)

    def report(self) -> str:
        """The two lines a person sees on standard error."""
        return f"error[{self.code}]: {self.reason}\n  help: {self.remedy}"
