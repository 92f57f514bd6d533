"""The declaration of a diagnostic code, and the diagnostic made from it.

A `Code` is complete: message template with named fields, help, explanation, an example that raises exactly it and the
same example put right. Its first letter decides its severity, its number the family (see `codes`). A `Diagnostic` is
plain data that survives a trip through JSON, so that remarks can be cached beside the code they speak about.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from string import Formatter
from typing import Any

from ppy_compiler.support.spans import Span

CODE_FORM = re.compile(r"[EWR][0-9]{4}")
_SLUG_FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_RESERVED = frozenset({"path", "span", "labels", "notes", "subject"})  # the parameters of `Code.at`


class Severity(enum.Enum):
    """How much a diagnostic matters. A remark says that something valid is slower than it could be."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


_SEVERITIES = {"E": Severity.ERROR, "W": Severity.WARNING, "R": Severity.REMARK}


class DeclarationError(Exception):
    """A code's declaration, or its use, contradicts itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One declared code. `message` and `help` are templates over the same named fields.

    `raised_by` tells the test-suite who makes `bad` raise this code: "check" (`bad` is a program for `ppy check`),
    "config" (`bad` is the `[tool.ppy]` part of a pyproject.toml), or the id of a test, "tests/build/test_x.py::test_y",
    relative to `packages/ppy-core` or to the repository, where no text alone can raise it.
    """

    code: str
    slug: str
    title: str
    message: str
    help: str
    explanation: str
    bad: str
    fixed: str
    raised_by: str
    language: str = "python"
    exit_status: int | None = None
    """What a command that reports this error ends with, where that is not what its family says."""

    def __post_init__(self) -> None:
        if not CODE_FORM.fullmatch(self.code) or not _SLUG_FORM.fullmatch(self.slug):
            raise DeclarationError(f"{self.code!r} {self.slug!r}: a code reads E1234, W1234 or R1234, a slug like-this")
        if reserved := self.fields & _RESERVED:
            raise DeclarationError(f"{self.code}: {sorted(reserved)} cannot be fields")

    @property
    def severity(self) -> Severity:
        return _SEVERITIES[self.code[0]]

    @property
    def fields(self) -> frozenset[str]:
        """The names that `message` and `help` want filled in."""
        return _fields(self.message) | _fields(self.help)

    def at(
        self,
        path: str,
        span: Span | None = None,
        *,
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        subject: str = "",
        **fields: object,
    ) -> Diagnostic:
        """A diagnostic at a place: `labels` point at further places, `notes` are sentences, `subject` is the
        qualified name of the function concerned. The fields must be exactly those of the templates."""
        if fields.keys() != self.fields:
            raise DeclarationError(f"{self.code} wants the fields {sorted(self.fields)}, got {sorted(fields)}")
        texts = {name: str(value) for name, value in fields.items()}
        return Diagnostic(
            code=self.code,
            severity=self.severity,
            message=self.message.format_map(texts),
            path=path,
            span=span,
            help=self.help.format_map(texts),
            labels=labels,
            notes=notes,
            subject=subject,
            fields=tuple(sorted(texts.items())),
        )


@cache
def _fields(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


@dataclass(frozen=True, slots=True)
class Label:
    """A further place that explains a diagnostic; in the same file unless `path` says otherwise."""

    span: Span
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding. Columns of `span` are bytes from 0, as everywhere; the renderers print characters from 1."""

    code: str
    severity: Severity
    message: str
    path: str
    span: Span | None = None
    help: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    subject: str = ""
    fields: tuple[tuple[str, str], ...] = field(default=())

    @property
    def sort_key(self) -> tuple[str, Span, str, str]:
        return self.path, self.span or Span(0, 0, 0, 0), self.code, self.message

    def as_error(self) -> Diagnostic:
        """The same finding as an error: what `strict` and `native(require=True)` make of a remark."""
        return replace(self, severity=Severity.ERROR)

    def to_data(self) -> dict[str, Any]:
        """Plain JSON data from which `from_data` makes the same diagnostic again."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "path": self.path,
            "span": None if self.span is None else list(self.span),
            "help": self.help,
            "labels": [[list(label.span), label.text, label.path] for label in self.labels],
            "notes": list(self.notes),
            "subject": self.subject,
            "fields": dict(self.fields),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Diagnostic:
        """The inverse of `to_data`."""
        return cls(
            code=data["code"],
            severity=Severity(data["severity"]),
            message=data["message"],
            path=data["path"],
            span=None if data["span"] is None else Span(*data["span"]),
            help=data["help"],
            labels=tuple(Label(Span(*span), text, path) for span, text, path in data["labels"]),
            notes=tuple(data["notes"]),
            subject=data["subject"],
            fields=tuple(sorted(data["fields"].items())),
        )


class DiagnosticError(Exception):
    """Raised where a stage cannot go on; whoever drives it reports `diagnostic` and stops that unit."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic
