"""`ppy doctor`: what there is on this machine, what was refused and why, and what its absence costs."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from shutil import which
from typing import Any

from ppy_runtime.abi import ABI_VERSION
from ppy_runtime.manifest.document import MANIFEST_FORMAT
from ppy_runtime.manifest.python import host_triple

from ppy_compiler.backends import interface as backend_interface
from ppy_compiler.backends.interface import ToolStatus
from ppy_compiler.backends.registry import Backends
from ppy_compiler.diagnostics.code import DiagnosticError
from ppy_compiler.driver.session import Session
from ppy_compiler.plugins import interface as plugin_interface
from ppy_compiler.plugins import registry as plugin_registry
from ppy_compiler.support.extensions import Extension, discover, installed_version

SUPPORTED = ((3, 11), (3, 12), (3, 13))


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: a name, whether all is well with it, and what there is to say."""

    name: str
    ok: bool
    text: str


Sections = dict[str, list[Finding]]


def examine(session: Session) -> Sections:
    """Everything, section by section."""
    return {
        "Python": _pythons(),
        "Versions": _versions(),
        "Backends": _backends(session.backends),
        "Plugins": _plugins(session),
        "Cache": _caches(session),
    }


def as_data(sections: Sections) -> dict[str, Any]:
    """The report for programs."""
    return {
        section.lower(): [{"name": found.name, "ok": found.ok, "text": found.text} for found in findings]
        for section, findings in sections.items()
    }


def _pythons() -> list[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    supported = sys.version_info[:2] in SUPPORTED and sys.implementation.name == "cpython"
    verdict = "" if supported else "; not supported: programs run under it as they are"
    found = [Finding("this one", supported, f"{sys.implementation.name} {version}, {sys.executable}{verdict}")]
    for major, minor in SUPPORTED:
        path = which(f"python{major}.{minor}")
        found.append(Finding(f"python{major}.{minor}", path is not None, path or "not on PATH"))
    return found


def _versions() -> list[Finding]:
    names = ("ppy-core", "ppy-runtime")
    rows = [Finding(name, True, installed_version(name) or "in use, not installed") for name in names]
    interfaces = (
        ("backend interface", backend_interface.INTERFACE),
        ("plugin interface", plugin_interface.INTERFACE),
        ("ABI", ABI_VERSION),
        ("manifest format", MANIFEST_FORMAT),
    )
    return [
        *rows,
        *(Finding(name, True, str(value)) for name, value in interfaces),
        Finding("machine", True, host_triple()),
    ]


def _backends(backends: Backends) -> list[Finding]:
    if not backends.extensions:
        return [Finding("none", False, "`pip install ppy-backend-llvm`; without one, programs run under CPython")]
    found: list[Finding] = []
    for extension in backends.extensions:
        problem = backends.verdict(extension)
        if problem:
            found.append(_refused(extension, problem))
            continue
        try:
            backend = backends.get(extension.name)
            tools = backend.toolchain()
        except DiagnosticError as error:
            found.append(_refused(extension, error.diagnostic.message))
            continue
        except Exception as error:
            found.append(_refused(extension, f"toolchain() failed: {type(error).__name__}: {error}"))
            continue
        found.append(Finding(extension.name, True, f"ready ({extension.distribution} {extension.version})"))
        found += [_tool(tool, f"{extension.name}: ") for tool in tools]
    return found


def _plugins(session: Session) -> list[Finding]:
    found: list[Finding] = []
    extensions = discover(plugin_registry.GROUP)
    enabled = set(session.config.enabled_plugins)
    for extension in extensions:
        problem = extension.refusal(plugin_interface.INTERFACE)
        where = f"({extension.distribution} {extension.version})"
        if problem:
            found.append(_refused(extension, problem))
        elif extension.name in enabled:
            found.append(Finding(extension.name, True, f"in use {where}"))
        else:
            off = extension.name in session.config.disabled_plugins
            text = "disabled" if off else f"ready; `[tool.ppy.plugins.{extension.name}] enabled = true` uses it"
            found.append(Finding(extension.name, True, f"{text} {where}"))
    missing = enabled - {extension.name for extension in extensions}
    found += [Finding(name, False, "enabled, but no installed distribution registers it") for name in sorted(missing)]
    return found or [Finding("none", True, "no plugin is installed; libraries are called as CPython calls them")]


def _refused(extension: Extension, problem: str) -> Finding:
    return Finding(extension.name, False, f"not usable: {problem} ({extension.distribution} {extension.version})")


def _tool(tool: ToolStatus, prefix: str = "") -> Finding:
    if tool.found:
        version = f" ({tool.version})" if tool.version else ""
        return Finding(prefix + tool.name, True, f"{tool.path}{version}")
    return Finding(prefix + tool.name, False, f"not found: {tool.meaning}")


def _caches(session: Session) -> list[Finding]:
    used = {root: (files, size) for root, files, size in session.cache.usage()}
    return [_cache(root, used.get(root)) for root in session.cache.roots] or [
        Finding("none", False, "no cache directory is configured: every run compiles again")
    ]


def _cache(root: str, used: tuple[int, int] | None) -> Finding:
    if used is None:
        parent = _existing_parent(root)
        writable = os.access(parent, os.W_OK)
        return Finding(root, writable, "made when needed" if writable else f"cannot be made: {parent} is read-only")
    files, size = used
    writable = os.access(root, os.W_OK)
    return Finding(root, writable, f"{files} files, {size // 1024} KiB{'' if writable else '; read-only'}")


def _existing_parent(path: str) -> str:
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def usable(sections: Sections) -> bool:
    """Whether programs can be compiled here: some backend is ready, and this Python is supported."""
    return sections["Python"][0].ok and any(found.ok for found in sections["Backends"])
