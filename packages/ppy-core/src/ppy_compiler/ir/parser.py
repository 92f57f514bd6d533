"""Reads the text form that ``printer`` writes (see there for the shape).

Takes text and a function from an operation's full name to its class; guarantees that printing the result gives
the same text again. Whether the operations are well formed is left to the verifier: the parser only refuses what it
cannot build, with line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ppy_compiler.ir.core import Block, Operation, Region, Successor, Value
from ppy_compiler.ir.define import Op, OperandsField, OptionalOperandField
from ppy_compiler.ir.literals import WORDS, negated, parse_number, parse_string
from ppy_compiler.ir.printer import FORMAT_VERSION, declared_results
from ppy_compiler.ir.traits import Trait
from ppy_compiler.ir.types import OBJECT, Type
from ppy_compiler.support.spans import Span

TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\n]+|;[^\n]*)
    |(?P<string>b?'(?:[^'\\\n]|\\.)*'|b?"(?:[^"\\\n]|\\.)*")
    |(?P<number>0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)
    |(?P<value>%[\w.]+)|(?P<block>\^[\w.]+)
    |(?P<ellipsis>\.\.\.)|(?P<word>[^\W\d]\w*(?:\.\w+)*)
    |(?P<mark>[=(){}\[\],:@<>!-])""",
    re.VERBOSE,
)


class ParseError(ValueError):
    """Text that is not IR; the message starts with ``line:column``."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise ParseError(f"{_place(text, position)}: unexpected {text[position]!r}")
        if match.lastgroup != "skip":
            yield Token(match.lastgroup, match[0], position)
        position = match.end()
    yield Token("end", "", position)


def _place(text: str, position: int) -> str:
    return f"{text.count(chr(10), 0, position) + 1}:{position - text.rfind(chr(10), 0, position)}"


def parse_module(text: str, resolve: Callable[[str], type[Op]], versions: Mapping[str, int] | None = None) -> Operation:
    """The one top-level operation of ``text``; a version line, when there is one, must agree with ``versions``."""
    parser = _Parser(text, resolve)
    if parser.peek().text == "ppyir":
        parser.version_line(versions)
    op = parser.op(_Scope())
    if parser.peek().kind != "end":
        parser.fail("one top-level operation expected")
    return op


class _Scope:
    """Names visible at one place: values of the isolated operation, blocks of the region."""

    def __init__(self, values: _Scope | None = None) -> None:
        self.values: dict[str, Value] = values.values if values else {}
        self.forward: dict[str, Value] = values.forward if values else {}
        self.blocks: dict[str, Block] = {}


class _Parser:
    def __init__(self, text: str, resolve: Callable[[str], type[Op]]) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0
        self.resolve = resolve

    def fail(self, message: str) -> None:
        token = self.tokens[self.at]
        raise ParseError(f"{_place(self.text, token.start)}: {message}, found {token.text or 'the end'!r}")

    def peek(self) -> Token:
        return self.tokens[self.at]

    def next(self, kind: str) -> str:
        token = self.tokens[self.at]
        if token.kind != kind:
            self.fail(f"{kind} expected")
        self.at += 1
        return token.text

    def accept(self, mark: str) -> bool:
        if self.tokens[self.at].text == mark and self.tokens[self.at].kind in ("mark", "word"):
            self.at += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.accept(mark):
            self.fail(f"{mark!r} expected")

    def sequence(self, close: str, item: Callable[[], Any]) -> list[Any]:
        """Items separated by commas up to ``close``; a trailing comma is allowed."""
        items: list[Any] = []
        while not self.accept(close):
            if items:
                self.expect(",")
                if self.accept(close):
                    break
            items.append(item())
        return items

    def version_line(self, versions: Mapping[str, int] | None) -> None:
        self.expect("ppyir")
        if int(self.next("number")) != FORMAT_VERSION:
            self.fail(f"text format {FORMAT_VERSION} expected")
        self.expect(":")
        while True:
            dialect = self.next("word")
            version = int(self.next("number"))
            known = version if versions is None else versions.get(dialect)
            if known != version:
                self.fail(f"dialect {dialect} has version {known} here, not {version}")
            if not self.accept(","):
                return

    # Operations

    def op(self, scope: _Scope) -> Operation:
        names = []
        while self.peek().kind == "value":
            names.append(self.next("value")[1:])
            self.accept(",")
        if names:
            self.expect("=")
        op, typed = self.body(self.op_class(), scope)
        if len(op.results) != len(names):
            if typed or declared_results(op) is not None:
                self.fail(f"{op.name} has {len(op.results)} results, not {len(names)}")
            self.fail(f"{op.name} needs the types of its results")
        for name, value in zip(names, op.results, strict=True):
            self.define(scope, name, value)
        if self.accept("unwind"):
            op.set_unwind(self.edge(scope))
        if self.accept("@"):
            op.span = self.span()
        return op

    def op_class(self) -> type[Op]:
        name = self.next("word")
        try:
            return self.resolve(name)
        except KeyError:
            self.at -= 1
            self.fail(f"there is no operation {name}")
            raise

    def body(self, cls: type[Op], scope: _Scope) -> tuple[Operation, bool]:
        operands, segments = self.operands(cls, scope)
        attributes: dict[str, Any] = {}
        if self.peek().text == "{" and self.tokens[self.at + 2].text == "=":
            self.expect("{")
            attributes = dict(self.sequence("}", self.attribute))
        types: list[Type] | None = None
        if self.accept(":"):
            types = [self.type()]
            while self.accept(","):
                types.append(self.type())
        successors = self.sequence("]", lambda: self.edge(scope)) if self.accept("[") else []
        regions = []
        while self.accept("{"):
            regions.append(self.region(cls, scope))
        op = cls.__new__(cls)
        shown = types if types is not None else _fixed_types(cls) or []
        Operation.__init__(op, operands, shown, attributes, successors, regions, segments)
        return op, types is not None

    def operands(self, cls: type[Op], scope: _Scope) -> tuple[list[Value], tuple[int, ...]]:
        fields = cls.definition.operands
        groups = self.sequence(")", lambda: self.group(scope)) if self.accept("(") else []
        flat = [value for group in groups for value in (group or [])]
        if not cls.definition.segmented:
            return flat, ()
        if len(groups) != len(fields):
            self.fail(f"{cls.name} has {len(fields)} operand fields, not {len(groups)}")
        for field, group in zip(fields, groups, strict=True):
            optional = isinstance(field, OptionalOperandField)
            if not isinstance(field, OperandsField) and len(group) != 1 and not (optional and not group):
                self.fail(f"{cls.name}: field {field.label} takes one operand")
        return flat, tuple(len(group) for group in groups)

    def group(self, scope: _Scope) -> list[Value]:
        if self.accept("["):
            return self.sequence("]", lambda: self.value(scope))
        return [] if self.accept("_") else [self.value(scope)]

    # Values, edges, regions

    def value(self, scope: _Scope) -> Value:
        name = self.next("value")[1:]
        known = scope.values.get(name) or scope.forward.get(name)
        if known is None:
            known = scope.forward[name] = Value(OBJECT)
        return known

    def define(self, scope: _Scope, name: str, value: Value) -> None:
        if name in scope.values:
            self.fail(f"%{name} is defined twice")
        value.hint = _hint(name)
        scope.values[name] = value
        promised = scope.forward.pop(name, None)
        if promised is not None:
            promised.replace_all_uses(value)

    def edge(self, scope: _Scope) -> Successor:
        name = self.next("block")[1:]
        block = scope.blocks.setdefault(name, Block(hint=_hint(name)))
        return Successor(block, self.sequence(")", lambda: self.value(scope)) if self.accept("(") else [])

    def region(self, cls: type[Op], outer: _Scope) -> Region:
        isolated = bool(cls.traits & Trait.ISOLATED)
        scope = _Scope(None if isolated else outer)
        region = Region()
        while not self.accept("}"):
            name = self.next("block")[1:]
            block = scope.blocks.setdefault(name, Block(hint=_hint(name)))
            if block.parent is not None:
                self.fail(f"^{name} is defined twice")
            region.append(block)
            for arg_name, arg_type in self.sequence(")", self.typed_value) if self.accept("(") else []:
                self.define(scope, arg_name, block.add_arg(arg_type))
            self.expect(":")
            while self.peek().kind in ("word", "value"):
                block.append(self.op(scope))
        for name, block in scope.blocks.items():
            if block.parent is None:
                self.fail(f"^{name} is not defined before the region ends")
        if isolated and scope.forward:
            self.fail(f"%{next(iter(scope.forward))} is not defined before the region ends")
        return region

    def typed_value(self) -> tuple[str, Type]:
        name = self.next("value")[1:]
        self.expect(":")
        return name, self.type()

    # Leaves

    def attribute(self) -> tuple[str, Any]:
        label = self.next("word")
        self.expect("=")
        return label, self.literal()

    def literal(self) -> Any:
        token = self.peek()
        if self.accept("-"):
            return negated(self.literal())
        if self.accept("("):
            return tuple(self.sequence(")", self.literal))
        if self.accept("!"):
            return self.type()
        self.at += 1
        match token.kind:
            case "number":
                return parse_number(token.text)
            case "string":
                return parse_string(token.text)
            case "ellipsis":
                return ...
        if token.text in WORDS:
            return WORDS[token.text]
        if token.text in ("complex", "frozenset"):
            self.expect("(")
            items = self.sequence(")", self.literal)
            return complex(*items) if token.text == "complex" else frozenset(items)
        self.at -= 1
        self.fail("a literal expected")
        return None

    def type(self) -> Type:
        name = self.next("word")
        return Type(name, tuple(self.sequence(">", self.parameter))) if self.accept("<") else Type(name)

    def parameter(self) -> Type | int | str:
        if self.peek().kind == "number":
            return int(self.next("number"))
        return -int(self.next("number")) if self.accept("-") else self.type()

    def span(self) -> Span:
        line = int(self.next("number"))
        self.expect(":")
        col = int(self.next("number"))
        self.expect("-")
        end_line = int(self.next("number"))
        self.expect(":")
        return Span(line, col, end_line, int(self.next("number")))


def _hint(name: str) -> str:
    base = name.partition(".")[0]
    return base if base.isidentifier() else ""


def _fixed_types(cls: type[Op]) -> list[Type] | None:
    types = [getattr(f, "fixed", None) for f in cls.definition.results]
    return None if None in types else [t for t in types if t is not None]
