"""The plugin: NumPy's names, and which part of the model answers for each."""

from __future__ import annotations

from collections.abc import Mapping

from ppy_compiler.plugins.interface import AttributeModel, CallModel, CallSite, OperationSite, Plugin
from ppy_compiler.plugins.types import ExternalType
from ppy_plugins.numpy import attributes, constructors, elementwise, indexing, methods
from ppy_plugins.numpy.types import SCALARS, ArrayType, DTypeType, array, scalar
from ppy_plugins.numpy.ufuncs import BY_NAME


def create_plugin() -> Plugin:
    return NumpyPlugin()


def installed_version() -> tuple[int, int]:
    """Major and minor version of the NumPy that programs will import; the newest known where there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        major, minor = version("numpy").split(".")[:2]
    except PackageNotFoundError:
        return NEWEST
    return int(major), int(minor)


NEWEST = (2, 4)


class NumpyPlugin(Plugin):
    name = "numpy"
    modules = ("numpy",)

    def __init__(self) -> None:
        self.version = installed_version()

    def fingerprint(self) -> str:
        from ppy_compiler.support.fingerprints import fingerprint

        return fingerprint(super().fingerprint(), self.version)

    # Names

    def external_types(self) -> Mapping[str, ExternalType]:
        arrays = {name: array(None) for name in ("numpy.ndarray", "numpy.typing.NDArray")}
        scalars = {name: scalar(dtype) for name, dtype in SCALARS.items()}
        return {**arrays, **scalars, "numpy.dtype": DTypeType("numpy.dtype")}

    def call_alias(self, name: str) -> str | None:
        short = name.removeprefix("numpy.")
        if short in BY_NAME:
            return f"numpy.{BY_NAME[short].name}"
        return name if short in constructors.FUNCTIONS or short in methods.FUNCTIONS or short == "where" else None

    def attribute_type(self, name: str) -> AttributeModel | None:
        return attributes.of_module(name)

    # Operations

    def call(self, site: CallSite) -> CallModel | None:
        short = site.function.removeprefix("numpy.")
        if short in BY_NAME and not site.keywords:
            return elementwise.call(BY_NAME[short], site.arguments, self.version)
        if short == "where" and len(site.arguments) == 3 and not site.keywords:
            return elementwise.where(site.arguments)
        if short.startswith("ndarray."):
            return methods.call(short.removeprefix("ndarray."), site)
        if short in methods.FUNCTIONS:
            return methods.call(short, site)
        return constructors.call(short, site)

    def operator(self, site: OperationSite) -> CallModel | None:
        return elementwise.operator(site.kind, site.operands, self.version, site.inplace)

    def subscript(self, site: OperationSite) -> CallModel | None:
        return indexing.subscript(site)

    def instance_attribute(self, type: ExternalType, name: str) -> AttributeModel | None:
        return attributes.of_array(type, name) if isinstance(type, ArrayType) else None
