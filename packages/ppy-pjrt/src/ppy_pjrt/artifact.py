"""Artifacts: one file with a program, its signature, and executables for the plugins it was compiled by.

Loading uses the executable of exactly this plugin where there is one and the plugin itself does not object; otherwise
the program is compiled again. So an artifact built elsewhere always runs, and never runs foreign code.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cache import identity
from .compatibility import compatible, executable_version
from .errors import ArtifactMismatch, DataLoss, PjrtError
from .options import CompileOptions, encoded

if TYPE_CHECKING:
    from .client import Client
    from .executable import Executable

_MAGIC = b"PPYXLA\x00\x01"
_HEAD = struct.Struct("<8sQ32s")


def plugin_key(client: Client) -> str:
    """The identity of a client's plugin and devices, as one name."""
    return hashlib.sha256(b"\0".join(identity(client))).hexdigest()


@dataclass(slots=True)
class Artifact:
    """A program with what is needed to run it again."""

    program: bytes
    format: str = "mlir"
    options: bytes = b""
    signature: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    executables: dict[str, bytes] = field(default_factory=dict)
    platforms: dict[str, str] = field(default_factory=dict)
    """For each executable, in words, what made it."""
    versions: dict[str, str] = field(default_factory=dict)
    """For each executable of a plugin that has them, the version it needs (a serialised proto, in hex)."""

    @classmethod
    def build(
        cls, client: Client, program: str | bytes, options: CompileOptions | None = None, **metadata: str
    ) -> Artifact:
        """Compiles a program and packs both."""
        code = program.encode() if isinstance(program, str) else bytes(program)
        artifact = cls(code, options=encoded(options, program), metadata=metadata)
        artifact.add(client.compile(program, options))
        return artifact

    @classmethod
    def of(cls, executable: Executable, **metadata: str) -> Artifact:
        """An artifact of an executable alone: its program is the optimised HLO."""
        artifact = cls(executable.optimized_hlo(), "hlo", metadata=metadata)
        artifact.add(executable)
        return artifact

    def add(self, executable: Executable) -> None:
        """Adds the executable of another plugin."""
        key = plugin_key(executable.client)
        self.executables[key] = executable.serialize()
        plugin = executable.client.plugin
        self.platforms[key] = f"{executable.client.platform} PJRT 0.{plugin.api.minor} {plugin.digest[:12]}"
        self.signature = self.signature or str(executable.signature)
        if plugin.extension("AbiVersion") is not None:
            self.versions[key] = executable_version(plugin, executable).hex()

    def check(self, client: Client) -> list[str]:
        """Why this client cannot use one of the executables as it is; empty where it can."""
        if plugin_key(client) in self.executables:
            return []
        mine = f"{client.platform} PJRT 0.{client.plugin.api.minor} {client.plugin.digest[:12]}"
        return [f"compiled by {what}; this is {mine}" for what in self.platforms.values()] or ["it has no executable"]

    def load(self, client: Client, *, strict: bool = False) -> Executable:
        """Loads the executable of this plugin, or compiles again; ``strict`` refuses to compile."""
        reasons = self.check(client)
        if not reasons:
            reasons = self._verdict(client)
        if not reasons:
            try:
                return client.load(self.executables[plugin_key(client)])
            except PjrtError as error:
                reasons = [f"the plugin refuses it: {error}"]
        if strict:
            raise ArtifactMismatch("this artifact cannot be used without compiling: " + "; ".join(reasons))
        return self.compile(client)

    def _verdict(self, client: Client) -> list[str]:
        """What the plugin itself says about the executable, where it can say so and the artifact has what it needs."""
        version = self.versions.get(plugin_key(client))
        if not version or client.plugin.extension("AbiVersion") is None:
            return []
        objection = compatible(client, bytes.fromhex(version))
        return [f"the plugin objects: {objection}"] if objection is not None else []

    def compile(self, client: Client) -> Executable:
        """Compiles the program of this artifact."""
        from .compiling import program_frame
        from .executable import Executable

        frame = client.call(
            "PJRT_Client_Compile", program=program_frame(client.api, self.program, self.format),
            compile_options=self.options or CompileOptions().encode(),
        )  # fmt: skip
        return Executable(client, frame["executable"])

    # The file

    def to_bytes(self) -> bytes:
        """The artifact as one block of bytes, the same for the same contents."""
        blobs = [self.program, self.options, *(self.executables[key] for key in sorted(self.executables))]
        head: dict[str, Any] = {
            "format": self.format, "signature": self.signature, "metadata": self.metadata,
            "platforms": self.platforms, "versions": self.versions, "executables": sorted(self.executables),
            "sizes": [len(blob) for blob in blobs],
        }  # fmt: skip
        text = json.dumps(head, sort_keys=True).encode()
        body = struct.pack("<Q", len(text)) + text + b"".join(blobs)
        return _HEAD.pack(_MAGIC, len(body), hashlib.sha256(body).digest()) + body

    @classmethod
    def from_bytes(cls, raw: bytes) -> Artifact:
        """Reads one; anything damaged or foreign raises ``DataLoss``."""
        if len(raw) < _HEAD.size or raw[:6] != _MAGIC[:6]:
            raise DataLoss(f"{len(raw)} bytes that do not start as an artifact")
        magic, size, digest = _HEAD.unpack_from(raw)
        if magic != _MAGIC:
            raise DataLoss(f"an artifact of format {magic[7]}; this client reads format {_MAGIC[7]}")
        body = raw[_HEAD.size :]
        if len(body) != size or hashlib.sha256(body).digest() != digest:
            raise DataLoss(
                f"a damaged artifact: {len(body)} bytes of contents where {size} were written, or changed ones"
            )
        (length,) = struct.unpack_from("<Q", body)
        head: Mapping[str, Any] = json.loads(body[8 : 8 + length])
        at, blobs = 8 + length, []
        for count in head["sizes"]:
            blobs.append(body[at : at + count])
            at += count
        executables = dict(zip(head["executables"], blobs[2:], strict=True))
        return cls(
            blobs[0],
            head["format"],
            blobs[1],
            head["signature"],
            dict(head["metadata"]),
            executables,
            dict(head["platforms"]),
            dict(head["versions"]),
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, atomically."""
        target = Path(path)
        temporary = target.with_name(target.name + f".{os.getpid()}.tmp")
        temporary.write_bytes(self.to_bytes())
        os.replace(temporary, target)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Artifact:
        """Reads a file."""
        return cls.from_bytes(Path(path).read_bytes())
