"""Kernels from small descriptions, compiled and called as emitted code calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ppy_backends.llvm import codegen
from ppy_backends.llvm.modules import ModuleText
from ppy_backends.llvm.support import build_support
from ppy_backends.llvm.text import PROFILE, FunctionText, References
from ppy_compiler.backends.interface import Options
from ppy_compiler.dialects import tensor
from ppy_compiler.ir import Block, Region, Type, Value
from ppy_compiler.lower.tensor import loop_names, lower_kernel, lower_sum, quiet_flags
from ppy_compiler.lower.tensor.abi import ARRAY, ITSELF, Descriptor, Operand
from ppy_plugins.numpy.dtypes import DType

ELEMENTS = {"?": "i1", "b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "l": "i64", "L": "u64"}
ELEMENTS |= {"f": "f32", "d": "f64"}
_KEPT: list[object] = []
"""Machine code and descriptors live as long as the process."""


class Declined(Exception):
    """The kernel left the expression to NumPy."""


class Body:
    """The region of a kernel under construction."""

    def __init__(self, operands: list[DType]) -> None:
        self.block = Block([Type(ELEMENTS[dtype.char]) for dtype in operands])

    def apply(self, kind: str, *args: Value, result: DType | None = None) -> Value:
        type = args[-1].type if result is None else Type(ELEMENTS[result.char])
        op = tensor.Apply(args, kind=kind, types=[type])
        self.block.append(op)
        return op.value

    def library(self, function: str, *args: Value) -> Value:
        op = tensor.Library(args, function=function, types=[args[0].type])
        self.block.append(op)
        return op.value

    def cast(self, value: Value, target: DType) -> Value:
        op = tensor.Cast(value, types=[Type(ELEMENTS[target.char])])
        self.block.append(op)
        return op.value


@cache
def support(folder: Path, name: str) -> Any:
    library = ctypes.PyDLL(str(build_support(folder)))
    for symbol in ("ppy_tensor_library", "ppy_opaque_zero"):
        codegen.llvm().add_symbol(symbol, ctypes.addressof(ctypes.c_char.in_dll(library, symbol)))
    function = getattr(library, name)
    function.restype = ctypes.c_void_p
    return function


def machine_code(text: str, symbol: str) -> int:
    """The address of a function of an LLVM module."""
    binding, options = codegen.llvm(), Options(cpu="native")
    code = codegen.object_of(ModuleText("kernel", "hot", text), options)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), codegen.target_machine(3, options.cpu))
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _KEPT.append(engine)
    address: int = engine.get_function_address(symbol)
    return address


def kernel(
    folder: Path,
    operands: list[DType],
    build: Callable[[Body], Value],
    result: DType,
    *,
    kinds: list[int] | None = None,
    sum: int | None = None,
) -> Callable[..., Any]:
    """A function that computes ``build`` of its arguments or raises `Declined`. ``folder``: for the support library;
    ``sum``: the elements are summed, and what for."""
    body = Body(operands)
    body.block.append(tensor.Yield(build(body)))
    kinds = kinds or [ARRAY] * len(operands)
    scalars = frozenset(i for i, kind in enumerate(kinds) if kind != ARRAY)
    op = tensor.Kernel(Region([body.block]), sym="kernel")
    function = (lower_kernel(op, scalars) if sum is None else lower_sum(op, scalars)).func
    references = References()
    call = support(folder, "ppy_tensor_map" if sum is None else "ppy_tensor_sum")
    text = FunctionText(function, references).write().replace("define hidden", "define")
    address = machine_code(references.declarations({"kernel"}) + text + PROFILE, "kernel")
    packed = [Operand(ELEMENTS[d.char], d.number, kind) for d, kind in zip(operands, kinds, strict=True)]
    names = loop_names(op)
    described = Descriptor(
        *(tuple(packed), result.number, 10, quiet_flags(op) if sum is None else 0),
        *(sum or ITSELF, ELEMENTS[result.char], names),
    )
    descriptor, loops = ctypes.create_string_buffer(described.pack()), (ctypes.c_int64 * (2 * len(names)))()

    def run(*args: object) -> Any:
        words = (ctypes.c_int64 * len(args))()
        pointer = call(ctypes.c_void_p(address), descriptor, (ctypes.py_object * len(args))(*args), words, loops)
        if pointer is None:
            raise Declined
        found = ctypes.cast(pointer, ctypes.py_object).value
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))
        return found

    return run
