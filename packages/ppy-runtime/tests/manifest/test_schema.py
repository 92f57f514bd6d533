"""The schema, its validator, and their agreement with the types the code uses."""

from __future__ import annotations

import ast
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from ppy_runtime.manifest import document as document_module
from ppy_runtime.manifest import load
from ppy_runtime.manifest.schema import SchemaError, check, load_schema
from ppy_runtime.manifest.store import check_document, encode

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "manifest_v1.json"


def golden() -> Any:
    return json.loads(GOLDEN.read_text())


def test_golden_manifest_is_read_and_written_back_unchanged(tmp_path: Path) -> None:
    text = GOLDEN.read_bytes()
    (tmp_path / "ppy-manifest.json").write_bytes(text)
    assert encode(load(str(tmp_path)).document) == text


def declared_types() -> dict[str, dict[str, bool]]:
    """The TypedDicts of ``document``: name to (field to whether it is required)."""
    tree = ast.parse(Path(document_module.__file__).read_text())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "TypedDict" for base in node.bases):
            fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
            found[node.name] = {ast.unparse(f.target): "NotRequired" not in ast.unparse(f.annotation) for f in fields}
    return found


def test_schema_and_types_say_the_same() -> None:
    definitions = load_schema()["$defs"]
    records = {name: schema for name, schema in definitions.items() if schema["type"] == "object"}
    assert declared_types() == {
        name: {field: field in schema["required"] for field in schema["properties"]} for name, schema in records.items()
    }
    assert all(schema["additionalProperties"] is False for schema in records.values())


def changed(path: list[Any], value: Any) -> Any:
    data = copy.deepcopy(golden())
    target = data
    for step in path[:-1]:
        target = target[step]
    if value is KeyError:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["name"], KeyError, "manifest: lacks 'name'"),
        (["surprise"], 1, "manifest: has a field 'surprise'"),
        (["format"], 2, "manifest.format: must be 1"),
        (["abi"], True, "manifest.abi: must be integer"),
        (["units"], [], "manifest.units: needs at least 1 item"),
        (["units", 0, "source"], None, "manifest.units[0].source: must be object, not NoneType"),
        (["units", 0, "source", "file"], "/etc/passwd", "manifest.units[0].source.file: '/etc/passwd' is not"),
        (["units", 0, "source", "sha256"], "55", "manifest.units[0].source.sha256: '55' is not"),
        (["units", 0, "functions", 1, "status"], "maybe", "manifest.units[0].functions[1].status: must be one of"),
        (["units", 0, "functions", 1, "reason"], "because", "manifest.units[0].functions[1].reason"),
        (["units", 1, "module"], "__main__", "manifest.units: '__main__' is there twice"),
        (["entry"], "other", "manifest.entry: 'other' is no unit"),
        (["support", "format"], "a b", "manifest.support.format"),
        (["made_by", "x"], 1, "manifest.made_by.x: must be string"),
    ],
)
def test_faults_are_named_by_their_place(path: list[Any], value: Any, said: str) -> None:
    with pytest.raises(SchemaError) as caught:
        check_document(changed(path, value))
    assert str(caught.value).startswith(said)


def test_a_keyword_the_validator_does_not_know_is_no_silent_pass() -> None:
    with pytest.raises(SchemaError, match="maxLength"):
        check("x", {"type": "string", "maxLength": 0, "$defs": {}})
