"""The kit that every plugin is held to, on arrays that differ in every way in which their types can."""

from __future__ import annotations

from ppy_compiler.plugins import CallSite, OperationSite, Plugin, Value
from ppy_compiler.plugins.testing import PluginConformance
from ppy_compiler.plugins.types import values_of
from ppy_plugins.numpy.dtypes import BY_NAME
from ppy_plugins.numpy.plugin import create_plugin
from ppy_plugins.numpy.types import array, scalar

FLOATS, INTEGERS = BY_NAME["float64"], BY_NAME["int32"]
MATRIX = array(FLOATS, shape=(3, 4), order="C")


class TestNumpy(PluginConformance):
    calls = (
        CallSite.of("numpy.sin", MATRIX),
        CallSite.of("numpy.add", MATRIX, "float"),
        CallSite.of("numpy.where", array(BY_NAME["bool"]), MATRIX, MATRIX),
        CallSite.of("numpy.sum", MATRIX),
        CallSite.of("numpy.zeros", Value("tuple[int, int]", constant=(3, 4))),
        CallSite.of("numpy.ndarray.sum", MATRIX),
    )
    operators = (
        OperationSite("+", values_of([MATRIX, MATRIX])),
        OperationSite("<", values_of([MATRIX, "int"])),
        OperationSite("-", values_of([array(INTEGERS)])),
        OperationSite("*", values_of([scalar(FLOATS), "float"])),
        OperationSite("<", values_of([scalar(FLOATS), scalar(INTEGERS)])),
    )
    subscripts = (
        OperationSite("[]", values_of([MATRIX, "int"])),
        OperationSite("[]", values_of([MATRIX, ("int", "int")])),
        OperationSite("[]=", values_of([MATRIX, ("int", "int"), "float"])),
    )
    types = (
        MATRIX,
        array(FLOATS, shape=(3, 5), order="C"),
        array(FLOATS, shape=(3, None)),
        array(FLOATS, rank=2),
        array(FLOATS, rank=1, order="C"),
        array(INTEGERS, shape=(3, 4)),
        scalar(FLOATS),
    )

    def make_plugin(self) -> Plugin:
        return create_plugin()
