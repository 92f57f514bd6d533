"""Native entries seen from Python: asked for, installed, given back."""

from __future__ import annotations

import ctypes
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import ppy
import pytest
from ppy_runtime import binding
from ppy_runtime.abi import NativeParam, NativeSignature
from ppy_runtime.launch import native

DATA = Path(__file__).resolve().parents[1] / "data"
INT = NativeParam("", "i64")


def answer(x: int) -> int:
    return x


def other(x: int, *, y: int = 0) -> int:
    return x + y


def fresh(function: FunctionType) -> Any:
    """A function object of its own: these tests leave no other test a native one."""
    return FunctionType(function.__code__, globals(), function.__name__, function.__defaults__)


@pytest.fixture(scope="session")
def support_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("support") / "support.so"
    include = sysconfig.get_paths()["include"]
    command = ["cc", "-O1", "-shared", "-fPIC", f"-I{include}", str(DATA / "support.c"), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


@pytest.fixture
def support(support_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(native, "_support", {"digest": ctypes.PyDLL(str(support_path))})
    yield
    binding._remembered.clear()


@pytest.mark.toolchain
@pytest.mark.usefixtures("support")
def test_bind_ask_and_give_back() -> None:
    function = fresh(answer)
    code, name = function.__code__, repr(function)
    assert binding.signature_of(function) is None
    bound = binding.bind(function)
    assert bound.function is function
    assert bound.address != 0
    assert bound.signature == NativeSignature("answer", "", (NativeParam("x", "object"),), NativeParam("", "object"))
    assert (function.__code__, repr(function), type(function)) == (code, name, type(answer))
    assert list(map(function, [7])) == [42]
    assert binding.signature_of(function) == bound.signature
    assert binding.bind(function) == bound == binding.adopt(function)
    binding.unbind(function)
    assert binding.signature_of(function) is None
    assert list(map(function, [7])) == [7]


@pytest.mark.toolchain
@pytest.mark.usefixtures("support")
def test_remembered_signature_of_function_and_method() -> None:
    signature = NativeSignature("answer", "answer_1", (NativeParam("x", "i64"),), INT)
    function = fresh(answer)
    binding.remember(function, signature)
    assert binding.signature_of(function) is None, "remembered, but not running natively"
    binding.bind(function)
    assert binding.signature_of(function) is signature
    bound_method = type("C", (), {"m": function})().m
    assert binding.signature_of(bound_method) is signature
    assert binding.adopt(bound_method).function is function


@pytest.mark.toolchain
@pytest.mark.usefixtures("support")
def test_a_function_without_native_code_is_refused() -> None:
    with pytest.raises(binding.GuardFailed, match="no unit in use has native code for <function other"):
        binding.bind(fresh(other))
    for thing in (other, len, int, 3, print, None):
        assert binding.signature_of(thing) is None
        with pytest.raises(binding.GuardFailed, match="does not run natively"):
            binding.adopt(thing)


def test_without_native_code_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_support", {})
    with pytest.raises(binding.GuardFailed, match="no native code is in use"):
        binding.bind(answer)
    with pytest.raises(binding.GuardFailed, match="no native code is in use"):
        binding.unbind(answer)


@pytest.mark.toolchain
def test_a_manifest_in_use_says_the_signature(artifacts, support_path: Path) -> None:
    from ppy_runtime.manifest import sha256_of
    from ppy_runtime.manifest.store import write

    text = (
        "from ppy_runtime import binding\nimport json\n"
        "def answer(x):\n    return x\n"
        "class C:\n    def answer(self, x):\n        return x\n"
        "for f in (answer, C.answer):\n"
        "    f.__name__ = 'answer'\n"
        "    print(json.dumps(binding.bind(f).signature.to_json(), sort_keys=True))\n"
    )
    manifest = artifacts.build({"__main__": text}, {"__main__": "fast"})
    (Path(manifest.root) / "lib" / "support.so").write_bytes(support_path.read_bytes())
    document = manifest.document
    document["support"] = {
        "file": "lib/support.so",
        "sha256": sha256_of(support_path.read_bytes()),
        "format": "shared",
    }
    signature = NativeSignature("answer", "answer_1", (NativeParam("x", "i64"),), INT).to_json()
    native_function = {"symbol": "s", "status": "native", "reason": ""}
    document["units"][0]["functions"] = [
        {"qualname": "answer", **native_function, "signature": signature},
        {"qualname": "C.answer", **native_function},
    ]
    write(manifest.root, document)
    done = artifacts.launch()
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert '"symbol": "answer_1"' in first
    assert '"parameters": [{"kind": "object", "name": "self"}, {"kind": "object", "name": "x"}]' in second
    refused = artifacts.launch(PPY_VERBOSE="1", PPY_TEST_REFUSES="1")
    assert "the support library refuses this interpreter: not this one" in refused.stderr
    assert "no native code is in use" in refused.stderr


def test_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, wanted = fresh(answer), ppy.specialize(fresh(answer))
    assert not binding.observation_wanted(plain, 0)
    assert binding.observation_wanted(wanted, 0)
    assert not binding.observation_wanted(wanted, binding.SPECIALIZATION_LIMIT)
    assert not binding.observation_wanted(print, 0)


class Outer:
    class Point:
        x: float


def test_value_class_types() -> None:
    def signature(*names: str) -> NativeSignature:
        values = tuple(NativeParam(f"p{i}", "value", class_name=name) for i, name in enumerate(names))
        return NativeSignature("f", "f", (NativeParam("n", "i64"), *values), INT)

    assert binding.value_class_types(signature("Outer.Point", "Outer"), answer) == (Outer.Point, Outer)
    assert binding.value_class_types(signature(), answer) == ()
    for unseen in ("Outer.Nothing", "Nothing", "answer", "Outer.Point.x"):
        assert binding.value_class_types(signature("Outer", unseen), answer) is None


def test_sanitizer_failure_names_kind_and_function() -> None:
    failure = binding.SanitizerFailure("index out of bounds", "sort", "7 of 5")
    assert (str(failure), failure.kind, failure.function) == (
        "index out of bounds in sort: 7 of 5",
        "index out of bounds",
        "sort",
    )
    assert isinstance(failure, RuntimeError)
