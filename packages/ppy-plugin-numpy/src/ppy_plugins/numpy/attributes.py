"""Attributes of arrays, and the names of the module that are values."""

from __future__ import annotations

from ppy_compiler.plugins.interface import AttributeModel
from ppy_plugins.numpy.types import ArrayType, array

CONSTANTS = ("pi", "e", "inf", "nan", "euler_gamma")
MODULES = ("linalg", "random", "fft", "typing", "testing", "ma", "char", "polynomial")


def of_module(name: str) -> AttributeModel | None:
    short = name.removeprefix("numpy.")
    if short in CONSTANTS:
        return AttributeModel("float")
    return AttributeModel("module") if short in MODULES else None


def of_array(type: ArrayType, name: str) -> AttributeModel | None:
    """``shape`` and ``strides`` are tuples of the rank's length, where it is known."""
    match name:
        case "ndim" | "size" | "nbytes" | "itemsize":
            return AttributeModel("int")
        case "shape" | "strides" if type.rank is not None:
            return AttributeModel(("int",) * type.rank)
        case "shape" | "strides":
            return AttributeModel("tuple[int, ...]")
        case "T" | "mT":
            shape = type.shape
            return AttributeModel(array(type.dtype, rank=type.rank, shape=shape[::-1] if shape is not None else None))
        case "real" if type.dtype is not None and type.dtype.kind != "c":
            return AttributeModel(type)
    return None
