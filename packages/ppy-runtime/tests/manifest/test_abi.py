"""The ABI's data goes through JSON unchanged, and nothing unknown is read."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest
from ppy_runtime import abi
from ppy_runtime.abi import NativeParam, NativeSignature

POINT = NativeParam("p", "value", fields=(NativeParam("x", "f64"), NativeParam("y", "f64")), class_name="Outer.Point")
SIGNATURES = [
    NativeSignature("f", "f", (), NativeParam("", "none")),
    NativeSignature(
        "C.m",
        "m_1",
        (NativeParam("n", "i64"), POINT, NativeParam("b", "buffer", element="f32"), NativeParam("h", "handle")),
        NativeParam("", "tuple", elements=("i64", "bool")),
        releases_gil=True,
        cpu_features=("avx2",),
        future="i64",
    ),
]


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: s.qualname)
def test_round_trip(signature: NativeSignature) -> None:
    text = json.dumps(signature.to_json())
    assert NativeSignature.from_json(json.loads(text)) == signature


def test_defaults_are_left_out() -> None:
    assert SIGNATURES[0].to_json() == {
        "qualname": "f",
        "symbol": "f",
        "parameters": [],
        "returns": {"name": "", "kind": "none"},
    }


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"name": "x", "kind": "i64", "extra": 1}, "unknown fields: extra"),
        ({"name": "x", "kind": "i65"}, "unknown kind 'i65'"),
        ({"name": "x", "kind": "tuple", "elements": ["what"]}, "unknown kind 'what'"),
        ({"name": 3, "kind": "i64"}, "parameter.name must be a string"),
        ({"name": "x", "kind": "i64", "fields": {}}, "must be a list"),
        (None, "must be an object"),
    ],
)
def test_refused(data: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        NativeParam.from_json(data)


def test_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        POINT.name = "q"  # type: ignore[misc]


def test_kinds_say_what_crosses() -> None:
    assert NativeParam("x", "ptr", element="i8").is_pointer
    assert NativeParam("x", "handle").is_handle
    assert NativeParam("x", "buffer", element="f64").is_borrowed
    assert NativeParam("x", "u8").is_scalar
    assert not NativeParam("x", "object").is_scalar
    assert abi.STATUSES == {"ok": abi.STATUS_OK, "raised": abi.STATUS_RAISED, "boxed": abi.STATUS_BOXED}


def test_numbers_are_cheap_to_import() -> None:
    code = "import sys, ppy_runtime.abi; print('dataclasses' in sys.modules, 'typing' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False False\n"
