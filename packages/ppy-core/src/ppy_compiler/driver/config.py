"""The configuration of a program: command line over environment over `[tool.ppy]` over defaults, each value with its
origin.

Takes the folder a program is in and what the command line says. Guarantees that every value was checked; whatever is
wrong is a diagnostic (E2001 unknown key, E2002 bad value, E2003 unreadable file) at its line, all of them at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from typing import Any

from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.diagnostics.codes import configuration as codes
from ppy_compiler.driver.settings import BY_NAME, KEYS, Key, Refused
from ppy_compiler.driver.toml import TomlFile
from ppy_compiler.support.suggest import did_you_mean

FILE_NAME = "pyproject.toml"
_EXTENSION_TABLES = ("plugins", "backends")
_OVERRIDES = "overrides"


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and where it came from: "default", "pyproject.toml:3", "PPY_STRICT", "--strict"."""

    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Override:
    """Values for the files that match one of `patterns`, relative to the project's folder."""

    patterns: tuple[str, ...]
    settings: Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Config:
    """A checked configuration. `looked_for` are the files that were read or missed: all that it depends on."""

    settings: Mapping[str, Setting]
    project: str | None
    overrides: tuple[Override, ...]
    enabled_plugins: tuple[str, ...]
    disabled_plugins: tuple[str, ...]
    disabled_backends: tuple[str, ...]
    looked_for: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        return self.settings[name].value

    def for_file(self, path: str) -> Config:
        """The configuration with the overrides that match `path`."""
        chosen = dict(self.settings)
        for override in self.overrides:
            if self.project is not None and _matches(path, override.patterns, self.project):
                # What the command line and the environment say holds for every file.
                chosen.update(
                    (name, setting) for name, setting in override.settings.items() if _from_file(chosen[name].origin)
                )
        return replace(self, settings=chosen)


def _from_file(origin: str) -> bool:
    return origin == "default" or origin.startswith(FILE_NAME)


def _matches(path: str, patterns: tuple[str, ...], project: str) -> bool:
    relative = os.path.relpath(os.path.abspath(path), project).replace(os.sep, "/")
    return any(fnmatch(relative, pattern) for pattern in patterns)


def load_config(
    folder: str, options: Mapping[str, str], environment: Mapping[str, str] = os.environ
) -> tuple[Config, list[Diagnostic]]:
    """The configuration of a program in `folder`. `options` are the command line's, by key, as text."""
    problems: list[Diagnostic] = []
    looked_for, file = _find_file(folder)
    reader = _Reader(file, problems)
    settings = {key.name: Setting(key.default, "default") for key in KEYS}
    settings.update(reader.settings())
    settings.update(_from_texts(environment, problems, lambda key: key.environment, "the environment variable"))
    settings.update(_from_texts(options, problems, lambda key: key.name, "the option", lambda key: key.flag))
    config = Config(
        settings=settings,
        project=os.path.dirname(file.path) if file is not None else None,
        overrides=reader.overrides(),
        enabled_plugins=reader.extensions("plugins", True),
        disabled_plugins=reader.extensions("plugins", False),
        disabled_backends=reader.extensions("backends", False),
        looked_for=looked_for,
    )
    return config, problems


def _find_file(folder: str) -> tuple[tuple[str, ...], TomlFile | None]:
    """The nearest `pyproject.toml` at or above `folder`, and every place where one would have been nearer."""
    looked_for: list[str] = []
    folder = os.path.abspath(folder)
    while True:
        path = os.path.join(folder, FILE_NAME)
        looked_for.append(path)
        if os.path.isfile(path):
            return tuple(looked_for), TomlFile(path)
        above = os.path.dirname(folder)
        if above == folder:
            return tuple(looked_for), None
        folder = above


def _from_texts(
    texts: Mapping[str, str],
    problems: list[Diagnostic],
    name_of: Any,
    kind: str,
    label_of: Any = None,
) -> Iterator[tuple[str, Setting]]:
    for key in KEYS:
        text = texts.get(name_of(key))
        if text is None:
            continue
        label = (label_of or name_of)(key)
        try:
            yield key.name, Setting(key.from_text(text), label)
        except Refused as refused:
            problems.append(
                codes.BAD_VALUE.at("", key=label, expected=str(refused), actual=text, source=f"{kind} {label}")
            )


class _Reader:
    """Reads `[tool.ppy]` and reports what it cannot follow."""

    def __init__(self, file: TomlFile | None, problems: list[Diagnostic]) -> None:
        self.file = file
        self.problems = problems
        self.table: Mapping[str, Any] = {}
        if file is None:
            return
        if file.problem is not None:
            problems.append(codes.BAD_TOML.at(file.path, file.problem_span, reason=file.problem))
            return
        table = file.table("tool", "ppy")
        if not isinstance(table, Mapping):
            self._bad(("tool",), "ppy", "must be a table", table)
            return
        self.table = table

    def settings(self) -> Iterator[tuple[str, Setting]]:
        others = (*_EXTENSION_TABLES, _OVERRIDES)
        values = {name: value for name, value in self.table.items() if name not in others}
        yield from self._read(values, ("tool", "ppy"), BY_NAME, others)

    def overrides(self) -> tuple[Override, ...]:
        tables = self.table.get(_OVERRIDES, [])
        if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
            self._bad(("tool", "ppy"), _OVERRIDES, "must be an array of tables", tables)
            return ()
        allowed = {key.name: key for key in KEYS if key.per_file}
        found: list[Override] = []
        for table in tables:
            patterns = table.get("files")
            if not isinstance(patterns, list) or not all(isinstance(item, str) for item in patterns):
                self._bad(("tool", "ppy", _OVERRIDES), "files", "must be a list of patterns", patterns)
                continue
            values = {name: value for name, value in table.items() if name != "files"}
            settings = dict(self._read(values, ("tool", "ppy", _OVERRIDES), allowed, ("files",)))
            found.append(Override(tuple(patterns), settings))
        return tuple(found)

    def extensions(self, kind: str, enabled: bool) -> tuple[str, ...]:
        """The names under `[tool.ppy.plugins]` or `[tool.ppy.backends]` whose `enabled` is as asked."""
        tables = self.table.get(kind, {})
        place = ("tool", "ppy", kind)
        if not isinstance(tables, Mapping):
            if enabled or kind == "backends":  # asked twice for plugins: report once
                self._bad(place[:-1], kind, "must be a table of tables", tables)
            return ()
        return tuple(name for name, table in tables.items() if self._enabled(place, name, table) is enabled)

    def _enabled(self, place: tuple[str, ...], name: str, table: Any) -> bool:
        if not isinstance(table, Mapping):
            self._bad(place, name, "must be a table", table)
            return False
        for key in table:
            if key != "enabled":
                self._unknown((*place, name), key, ["enabled"])
        enabled = table.get("enabled", True)
        if not isinstance(enabled, bool):
            self._bad((*place, name), "enabled", "must be true or false", enabled)
            return False
        return enabled

    def _read(
        self, values: Mapping[str, Any], place: tuple[str, ...], allowed: Mapping[str, Key], others: tuple[str, ...]
    ) -> Iterator[tuple[str, Setting]]:
        assert self.file is not None or not values
        for name, value in values.items():
            key = allowed.get(name)
            if key is None or self.file is None:
                self._unknown(place, name, [*allowed, *others])
                continue
            try:
                yield name, Setting(key.from_toml(value), f"{FILE_NAME}:{self.file.line_of(place, name)}")
            except Refused as refused:
                self._bad(place, name, str(refused), value)

    def _unknown(self, place: tuple[str, ...], name: str, known: list[str]) -> None:
        table = f"[{'.'.join(place)}]"
        its_own = f"it takes {', '.join(f'`{key}`' for key in known)}"
        keys = "`ppy config` lists every key" if len(place) == 2 else its_own
        suggestion = did_you_mean(name, known)
        self._report(codes.UNKNOWN_KEY, place, name, table=table, key=name, suggestion=suggestion, keys=keys)

    def _bad(self, place: tuple[str, ...], name: str, expected: str, actual: object) -> None:
        source = f"`[{'.'.join(place)}]`"
        written = json.dumps(actual, ensure_ascii=False, default=str)  # as TOML spells it, nearly
        self._report(codes.BAD_VALUE, place, name, key=name, expected=expected, actual=written, source=source)

    def _report(self, code: Any, place: tuple[str, ...], name: str, **fields: object) -> None:
        assert self.file is not None
        diagnostic = code.at(self.file.path, self.file.span_of(place, name), **fields)
        if diagnostic not in self.problems:
            self.problems.append(diagnostic)
