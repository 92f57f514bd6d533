"""One command's view of one program: configuration, backend, plugins, cache, and the findings so far.

Made for the folder of the entry file. Backend and plugins are loaded when first needed, so a command that needs none
imports none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ppy_runtime.manifest.cache import Cache, open_cache

from ppy_compiler.backends import Options
from ppy_compiler.backends.registry import Backends
from ppy_compiler.build.keys import BuildContext, compiler_fingerprint
from ppy_compiler.diagnostics.code import Diagnostic, DiagnosticError
from ppy_compiler.diagnostics.codes import plugins as codes
from ppy_compiler.diagnostics.sink import Sink
from ppy_compiler.driver.config import Config, load_config
from ppy_compiler.driver.extensions import add_dialects
from ppy_compiler.driver.modules import own_modules
from ppy_compiler.plugins.registry import PluginSet, load_plugins

if TYPE_CHECKING:
    from ppy_compiler.backends import Backend


class ConfigurationError(Exception):
    """The request cannot be carried out as it was configured; all that is wrong with it."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__(diagnostics[0].message)
        self.diagnostics = diagnostics


class Session:
    """See the module's text. `options` are the command line's, by configuration key, as text."""

    def __init__(self, folder: str, options: Mapping[str, str]) -> None:
        self.folder = folder
        config, problems = load_config(folder, options)
        if problems:
            raise ConfigurationError(problems)
        self.config: Config = config
        self.sink = Sink()

    @cached_property
    def backends(self) -> Backends:
        return Backends()

    @cached_property
    def backend(self) -> Backend:
        """The chosen backend; raises DiagnosticError where it cannot be used."""
        name = self.config["backend"]
        if name in self.config.disabled_backends:
            reason = f"`[tool.ppy.backends.{name}]` disables it"
            raise DiagnosticError(codes.HOOK_FAILED.at("", kind="backend", name=name, hook="discovery", error=reason))
        return self.backends.get(name)

    @cached_property
    def backend_fingerprint(self) -> str:
        backend = self.backend
        try:
            return f"{backend.name}:{backend.fingerprint()}"
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            raise DiagnosticError(
                codes.HOOK_FAILED.at("", kind="backend", name=backend.name, hook="fingerprint", error=text)
            ) from error

    @cached_property
    def plugins(self) -> PluginSet:
        """The plugins that the project enables."""
        found = load_plugins(self.config.enabled_plugins)
        self.sink.extend(found.notes)
        if found.plugins:
            add_dialects(found.plugins)
        return found

    @cached_property
    def cache(self) -> Cache:
        """Where compiled code is kept."""
        return open_cache(self.folder, self.config["cache-dir"])

    def options_for(self, path: str) -> Options:
        """The code generation options of one file."""
        config = self.config.for_file(path)
        return Options(
            opt_level=config["opt-level"],
            unsafe=config["unsafe"],
            cpu="native" if config["host-cpu"] else "baseline",
        )

    def context_for(self, path: str) -> BuildContext:
        """What the key of the unit at `path` stands on."""
        return BuildContext(compiler_fingerprint(), self.backend_fingerprint, self.options_for(path))

    def search_folders(self, entry: str) -> tuple[str, ...]:
        """The folders whose modules are the program's own: the entry's, as CPython puts it first, and the source
        roots."""
        base = self.config.project or self.folder
        roots = (os.path.join(base, root) for root in self.config["source-roots"])
        return (os.path.dirname(os.path.realpath(entry)), *roots)

    def plugins_for(self, entry: str) -> PluginSet:
        """The plugins for the program that starts at `entry`: a module of its own with a library's name is not the
        library."""
        return self.plugins.without(own_modules(self.plugins.claims, self.search_folders(entry)))
