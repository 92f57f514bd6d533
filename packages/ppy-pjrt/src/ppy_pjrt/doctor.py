"""What is found on this machine, what each plugin is, and why one is passed over.

Each plugin is examined in a process of its own: one that hangs or crashes is a line of the report.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from .abi import FFI_MINOR, PJRT_MINOR
from .api import OLDEST_MINOR
from .discovery import VARIABLE, Candidate, candidates


@dataclass(slots=True)
class Finding:
    """One plugin file."""

    path: str
    origin: str
    platform: str
    verdict: str
    api: str = ""
    stablehlo: str = ""
    extensions: str = ""
    devices: str = ""


_EXAMINE = """
import json, sys
from ppy_pjrt.client import Client
from ppy_pjrt.plugin import Plugin
from ppy_pjrt.errors import PjrtError
out = {}
try:
    plugin = Plugin(sys.argv[1])
    out["api"] = "%d.%d" % plugin.api_version
    out["platform"] = plugin.platform
    out["extensions"] = ", ".join(item.name for item in plugin.extensions)
    out["stablehlo"] = " to ".join(plugin.stablehlo_versions or ("not said",))
    with Client(plugin) as client:
        kinds = sorted({device.kind for device in client.devices})
        out["devices"] = "%d x %s" % (len(client.devices), ", ".join(kinds))
    out["verdict"] = "works"
except PjrtError as error:
    out["verdict"] = "passed over: " + str(error).splitlines()[0][:300]
print(json.dumps(out))
"""


def examine(candidate: Candidate, timeout: float = 60.0) -> Finding:
    """Loads a plugin and creates a client, elsewhere."""
    finding = Finding(str(candidate.path), candidate.origin, candidate.platform, "")
    if candidate.platform == "tpu":
        finding.verdict = (
            "not examined: libtpu waits for minutes off its own machines; ask for the platform 'tpu' by name"
        )
        return finding
    command = [sys.executable, "-c", _EXAMINE, str(candidate.path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=_environment())
    except subprocess.TimeoutExpired:
        finding.verdict = f"passed over: it did not answer within {timeout:.0f} s"
        return finding
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        tail = done.stderr.strip().splitlines()[-1:] or ["no message"]
        finding.verdict = f"passed over: its process ended with {done.returncode} ({tail[0][:200]})"
        return finding
    for key, value in json.loads(lines[-1]).items():
        setattr(finding, key, value)
    return finding


def _environment() -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


def findings() -> list[Finding]:
    """Every candidate, examined."""
    return [examine(item) for item in (*candidates(), *candidates("tpu"))]


def report(as_json: bool = False) -> str:
    """The report as text or JSON."""
    found = findings()
    variable = os.environ.get(VARIABLE)
    if as_json:
        head = {"pjrt": [OLDEST_MINOR, PJRT_MINOR], "ffi": FFI_MINOR, "variable": variable}
        return json.dumps({**head, "plugins": [asdict(item) for item in found]}, indent=1)
    lines = [
        f"ppy-pjrt speaks PJRT 0.{OLDEST_MINOR} to 0.{PJRT_MINOR} (and later 0.x) and XLA FFI up to 0.{FFI_MINOR}",
        f"{VARIABLE} is {variable or 'not set'}",
    ]
    if not found:
        lines.append("no plugin was found; a CPU plugin: pip install fastatomstruct-xla-cpu")
    for item in found:
        lines.append(f"\n{item.path}\n  from {item.origin}; for {item.platform}; {item.verdict}")
        for name in ("api", "stablehlo", "extensions", "devices"):
            if value := getattr(item, name):
                lines.append(f"  {name}: {value}")
    return "\n".join(lines)
