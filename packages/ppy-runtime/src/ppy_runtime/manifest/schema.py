"""Validation of a document against ``schema.json``, with the place of the first fault.

Knows the part of JSON Schema that the manifest's schema uses and refuses a schema that uses more, so that a keyword
added there cannot be ignored silently here.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from .files import read_bytes

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description"})
_KNOWN = frozenset(
    {"$ref", "additionalProperties", "anyOf", "const", "enum", "items", "minItems", "minimum", "pattern", "properties"}
) | {"required", "type"}


class SchemaError(ValueError):
    """``path`` is where in the document, ``problem`` what is wrong there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def load_schema() -> dict[str, Any]:
    """The manifest's schema."""
    schema: dict[str, Any] = json.loads(read_bytes(os.path.join(os.path.dirname(__file__), "schema.json")))
    return schema


def check(document: object, schema: dict[str, Any]) -> None:
    """Raise SchemaError at the first place where ``document`` does not follow ``schema``."""
    _check(document, schema, schema["$defs"], "manifest")


def _check(value: object, schema: dict[str, Any], definitions: dict[str, Any], path: str) -> None:
    unknown = set(schema) - _KNOWN - _ANNOTATIONS
    if unknown:
        raise SchemaError(path, f"the schema uses {sorted(unknown)}, which this validator does not know")
    if "$ref" in schema:
        _check(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions, path)
    if "anyOf" in schema:
        _check_any(value, schema["anyOf"], definitions, path)
    if "const" in schema and value != schema["const"]:
        raise SchemaError(path, f"must be {schema['const']!r}, not {value!r}")
    if "enum" in schema and value not in schema["enum"]:
        raise SchemaError(path, f"must be one of {', '.join(map(repr, schema['enum']))}, not {value!r}")
    if "type" in schema:
        _check_type(value, schema["type"], path)
    if isinstance(value, dict):
        _check_object(value, schema, definitions, path)
    elif isinstance(value, list | tuple):
        if len(value) < schema.get("minItems", 0):
            raise SchemaError(path, f"needs at least {schema['minItems']} item")
        for index, item in enumerate(value):
            _check(item, schema.get("items", {}), definitions, f"{path}[{index}]")
    elif isinstance(value, str):
        if "pattern" in schema and re.search(schema["pattern"], value) is None:
            raise SchemaError(path, f"{value!r} is not of the form {schema['pattern']}")
    elif isinstance(value, int) and value < schema.get("minimum", value):
        raise SchemaError(path, f"must be at least {schema['minimum']}, not {value}")


def _check_any(value: object, alternatives: list[dict[str, Any]], definitions: dict[str, Any], path: str) -> None:
    """The alternatives here are "a record, or null": the record's own fault is the one worth reporting."""
    problem: SchemaError | None = None
    for alternative in alternatives:
        try:
            return _check(value, alternative, definitions, path)
        except SchemaError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _check_type(value: object, name: str, path: str) -> None:
    if not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and name == "integer"):
        raise SchemaError(path, f"must be {name}, not {type(value).__name__}")


def _check_object(value: dict[str, Any], schema: dict[str, Any], definitions: dict[str, Any], path: str) -> None:
    for name in schema.get("required", ()):
        if name not in value:
            raise SchemaError(path, f"lacks {name!r}")
    properties: dict[str, Any] = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in properties:
            _check(item, properties[name], definitions, f"{path}.{name}")
        elif others is False:
            raise SchemaError(path, f"has a field {name!r} that this format does not know")
        elif isinstance(others, dict):
            _check(item, others, definitions, f"{path}.{name}")
