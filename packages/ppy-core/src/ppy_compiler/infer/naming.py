"""How the annotations of one module name the types of libraries that plugins model.

Takes what the module imports and the types that the plugins offer; gives the type that an expression of an annotation
means. Names that are not imported by exactly one meaning name nothing here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ppy_compiler.plugins.types import ExternalType, Value


class LibraryNames:
    """`imported`: the module's names, and the dotted names they were imported as."""

    def __init__(self, imported: Mapping[str, str], types: Mapping[str, ExternalType]) -> None:
        self.imported = imported
        self.types = types

    def dotted(self, node: ast.expr) -> str:
        """The library's name of what the expression refers to ("np.float64": "numpy.float64"), or an empty string."""
        match node:
            case ast.Name(id=name):
                return self.imported.get(name, "")
            case ast.Attribute(value=value, attr=name):
                outer = self.dotted(value)
                return f"{outer}.{name}" if outer else ""
        return ""

    def type(self, node: ast.expr) -> ExternalType | None:
        """The type that the expression means as an annotation."""
        match node:
            case ast.Name() | ast.Attribute():
                return self.types.get(self.dotted(node))
            case ast.Subscript(value=value, slice=index):
                generic = self.type(value)
                arguments = index.elts if isinstance(index, ast.Tuple) else [index]
                if generic is None:
                    return None
                return generic.subscripted(tuple(map(self.value, arguments))) or generic
        return None

    def value(self, node: ast.expr) -> Value:
        """An argument of a subscript: a constant, something of the library, a type, or nothing known."""
        if (external := self.type(node)) is not None:
            return Value.of(external)
        if dotted := self.dotted(node):
            return Value(name=dotted)
        try:
            literal = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return Value(ast.unparse(node), name=node.id if isinstance(node, ast.Name) else "")
        return Value(type(literal).__name__, constant=literal)

    def annotated(self, type: ExternalType, refinement: ast.expr) -> ExternalType:
        """The type under one more argument of `Annotated`."""
        function = refinement.func if isinstance(refinement, ast.Call) else refinement
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        arguments = refinement.args if isinstance(refinement, ast.Call) else []
        return type.annotated(name, tuple(map(self._plain, arguments))) if name else type

    def _plain(self, node: ast.expr) -> object:
        value = self.value(node)
        return value.constant if value.known else value.name or value.type


NO_LIBRARIES = LibraryNames({}, {})
