"""Compiling and running."""

from __future__ import annotations

import numpy as np
import pytest
from pjrt_programs import ADD, ALL_REDUCE, COLUMN_MAJOR, GSPMD, SHARDY, SLOW, STEP, adds, identity
from ppy_pjrt.client import Client
from ppy_pjrt.errors import ArgumentMismatch, HandleClosed, InvalidArgument, PjrtError, Unsupported
from ppy_pjrt.options import CompileOptions

pytestmark = pytest.mark.cpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_facts(client: Client) -> None:
    executable = client.compile(ADD)
    assert executable.name == "add" and executable.num_outputs == 1
    assert (executable.num_replicas, executable.num_partitions) == (1, 1)
    assert executable.output_types == ("float32",) and executable.output_shapes == ((2, 3),)
    assert str(executable.signature) == "(float32[2,3], float32[2,3]) -> (float32[2,3])"
    assert executable.devices == client.devices[:1] and not executable.is_deleted()
    assert executable.fingerprint == client.compile(ADD).fingerprint != client.compile(SLOW).fingerprint
    assert executable.memory_stats()["argument_size_in_bytes"] == 48
    assert b"add" in executable.optimized_hlo()


def test_programs_without_arguments_or_results(client: Client) -> None:
    constant = client.compile("""module { func.func public @main() -> tensor<i32> {
      %0 = stablehlo.constant dense<42> : tensor<i32>
      return %0 : tensor<i32> } }""")
    assert constant()[0].item() == 42 == constant()[0].item()
    nothing = client.compile("module { func.func public @main(%a: tensor<f32>) { return } }")
    assert nothing(1.0) == ()
    results, done = nothing.execute_watched(1.0)
    done.wait(10)
    assert results == ()


def test_many_results_and_tuples(client: Client) -> None:
    executable = client.compile("""module { func.func public @main(%a: tensor<f32>)
        -> (tensor<f32>, tensor<2xi8>, tensor<f32>) {
      %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
      %1 = stablehlo.negate %a : tensor<f32>
      return %1, %0, %a : tensor<f32>, tensor<2xi8>, tensor<f32> } }""")
    for _ in range(3):
        a, b, c = executable(2.5)
        assert (a.item(), b.tolist(), c.item()) == (-2.5, [1, 2], 2.5)


@pytest.mark.parametrize("count", [1, 2, 31, 32, 64])
def test_many_arguments(client: Client, count: int) -> None:
    executable = client.compile(adds(count))
    values = [np.full(4, i, np.float32) for i in range(count)]
    want = (sum(values) + values[0]).tolist()
    assert executable(*values)[0].tolist() == want
    assert executable(*[client.put(v) for v in values])[0].tolist() == want


def test_bad_arguments_are_named(client: Client) -> None:
    executable = client.compile(ADD)
    b = client.put(X)
    cases = [
        ((b,), "takes 2 arguments .*, 1 were given"),
        ((b, b, b), "3 were given"),
        ((b, client.put(X.T)), r"argument 1 of add is float32\[3, 2\], the program takes float32\[2, 3\]"),
        ((X.T, b), r"argument 0 of add: an array of float32\[3, 2\]"),
        ((b, client.put(X, client.devices[1])), "argument 1 of add is on <Device cpu:1>"),
        ((b, [1, 2]), "argument 1 of add: a list is no array"),
        ((b, None), "argument 1 of add: a NoneType is no array"),
        ((b, 1.0), r"argument 1 of add.*one number cannot fill shape"),
        ((b, "text"), "argument 1 of add: a str is no array"),
    ]
    for args, message in cases:
        with pytest.raises(ArgumentMismatch, match=message):
            executable(*args)
        with pytest.raises(ArgumentMismatch):
            executable.execute(*args)
    with Client(client.plugin) as other, pytest.raises(ArgumentMismatch, match="another client"):
        executable(b, other.put(X))
    closed = client.put(X)
    closed.close()
    with pytest.raises(
        HandleClosed, match=r"argument 1 of add: this buffer \(float32\[2,3\] on <Device cpu:0>\) was closed"
    ):
        executable(b, closed)
    executable.close()
    with pytest.raises(HandleClosed, match="executable was closed"):
        executable(b, b)
    with pytest.raises(HandleClosed):
        executable.serialize()


def test_bad_programs_say_where(client: Client) -> None:
    for text, message in (
        (ADD.replace("%a, %b :", "%a, %c :"), r":2:\d+: error: use of undeclared"),
        (ADD.replace("-> tensor<2x3xf32> {", "-> tensor<2x4xf32> {"), r"\d+:\d+"),
        ("module {", "error"),
        ("", "empty"),
        (b"ML\xefR garbage", ""),
    ):
        with pytest.raises(PjrtError, match=message or "."):
            client.compile(text)
    with pytest.raises(InvalidArgument):
        client.compile(ADD.replace("%a, %b :", "%a, %c :"))
    with pytest.raises(PjrtError):
        client.compile(ADD, format="no such format")
    with pytest.raises(PjrtError):
        client.compile(ADD, CompileOptions(debug={"xla_no_such_option": True}))
    for blob in (b"", b"garbage", client.compile(ADD).serialize()[:50]):
        with pytest.raises(PjrtError):
            client.load(blob)


def test_unknown_create_options_do_not_crash(client: Client) -> None:
    if client.api.minor >= 115:
        with pytest.raises(PjrtError, match="no_such_option"):
            Client(client.plugin, options={"no_such_option": "x"})
    else:
        Client(client.plugin, options={"no_such_option": "x"}).close()
    with Client(client.plugin, options={"cpu_device_count": 8}) as eight:
        assert len(eight.devices) == 8


def test_hlo_protos_compile_too(client: Client) -> None:
    program = client.compile(ADD).optimized_hlo()
    assert client.compile(program, format="hlo")(X, X)[0].tolist() == (2 * X).tolist()


def test_bytecode_compiles_as_text_does(client: Client) -> None:
    jax = pytest.importorskip("jax")
    exported = jax.export.export(jax.jit(lambda a, b: a + b))(X, X)
    executable = client.compile(exported.mlir_module_serialized)
    assert executable(X, X)[0].tolist() == (2 * X).tolist()


def test_serialised_executables_load_with_other_options(client: Client) -> None:
    blob = client.compile(ADD).serialize()
    moved = client.load(blob, CompileOptions(device_assignment=[[1]]))
    if moved.devices == client.devices[1:2]:
        assert moved(X, X)[0].device is client.devices[1]
    assert client.load(blob)(X, X)[0].tolist() == (2 * X).tolist()


def test_device_assignment_and_portable_programs(client: Client) -> None:
    placed = client.compile(ADD, CompileOptions(device_assignment=[[2]]))
    assert placed.devices == (client.devices[2],) and placed(X, X)[0].device is client.devices[2]
    portable = client.compile(ADD, CompileOptions(portable=True))
    if not portable.devices:
        out = portable.execute(X, X, device=client.devices[3])[0]
        assert out.device is client.devices[3] and out.tolist() == (2 * X).tolist()
        with pytest.raises(ArgumentMismatch, match="portable"):
            portable.execute(X, X)


def test_donation(client: Client) -> None:
    step = client.compile(STEP)
    ones = client.put(np.ones(8, np.float32))
    a = client.put(np.zeros(8, np.float32))
    for index in range(5):
        before, (a,) = a, step(a, ones)
        assert before.closed
        with pytest.raises(HandleClosed, match="donated"):
            before.to_host()
        with pytest.raises(HandleClosed, match="argument 0 of step.*donated"):
            step(before, ones)
        assert a.tolist() == [index + 1] * 8
    (kept,) = step.execute(a, ones, non_donatable=[0])
    assert not a.closed and kept.tolist() == [6] * 8 and a.tolist() == [5] * 8
    assert step(np.zeros(8, np.float32), ones)[0].tolist() == [1] * 8
    plain = client.compile(ADD)
    x = client.put(X)
    plain(x, x)
    assert not x.closed


def test_calls_return_before_the_work_is_done_and_arguments_may_go(client: Client) -> None:
    slow = client.compile(SLOW)
    a = client.put(np.full((600, 600), 0.001, np.float32))
    want = np.asarray(slow(a)[0])
    # On a busy machine a call may be interrupted until the work is done; not every time.
    assert any(not slow(a)[0].is_ready() for _ in range(10)), "the call waited"
    (b,) = slow(a)
    (c,) = slow(b)
    del a, b
    again = client.put(np.full((600, 600), 0.001, np.float32))
    assert np.allclose(np.asarray(slow(slow(again)[0])[0]), np.asarray(c))
    assert want.shape == (600, 600)


def test_options_of_a_call(client: Client) -> None:
    executable = client.compile(ADD)
    if client.api.minor >= 76:
        assert executable.execute(X, X, call_location="test.py:1", launch_id=7)[0].tolist() == (2 * X).tolist()
    if client.api.minor < 117:
        with pytest.raises(Unsupported, match="custom_options"):
            executable.execute(X, X, custom={"a": 1})


def test_two_replicas(client: Client) -> None:
    executable = client.compile(ALL_REDUCE, CompileOptions(num_replicas=2))
    assert executable.num_replicas == 2 and len(executable.devices) == 2
    parts = [np.arange(4, dtype=np.float32), np.ones(4, np.float32)]
    rows = executable.execute_sharded([[part] for part in parts])
    assert [row[0].tolist() for row in rows] == [(parts[0] + parts[1]).tolist()] * 2
    assert [row[0].device for row in rows] == list(executable.devices)
    if client.api.minor >= 96:
        assert executable.logical_ids == ((0, 0), (1, 0))
    with pytest.raises(ArgumentMismatch, match="2 devices, 1 rows"):
        executable.execute_sharded([[parts[0]]])
    with pytest.raises(ArgumentMismatch, match="execute_sharded"):
        executable(parts[0])


@pytest.mark.parametrize("source", [GSPMD, SHARDY], ids=["gspmd", "shardy"])
def test_partitions(client: Client, source: str) -> None:
    executable = client.compile(source, CompileOptions(num_partitions=2, use_spmd_partitioning=True))
    whole = np.arange(8, dtype=np.float32)
    shape = executable.signature.parameters[0].shape
    assert shape == (4,), "the signature is that of one device"
    rows = executable.execute_sharded([[whole[:4]], [whole[4:]]])
    assert rows[0][0].tolist() + rows[1][0].tolist() == (whole * whole).tolist()


def test_argument_layouts(client: Client) -> None:
    executable = client.compile(COLUMN_MAJOR)
    (out,) = executable(X)
    assert out.layout is not None and out.layout.minor_to_major == (0, 1)
    flipped = """module { func.func public @main(%a: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<2x3xf32> {
      %0 = stablehlo.add %a, %a : tensor<2x3xf32>
      return %0 : tensor<2x3xf32> } }"""
    takes_columns = client.compile(flipped)
    if takes_columns.signature.parameters[0].layout == (0, 1):
        assert takes_columns(X)[0].tolist() == (2 * X).tolist()
        assert takes_columns(out)[0].tolist() == (4 * X).tolist()


def test_debug_options_reach_the_compiler(client: Client, tmp_path: object) -> None:
    client.compile(ADD, CompileOptions(debug={"xla_dump_to": str(tmp_path), "xla_dump_hlo_as_text": True}))
    assert list(tmp_path.iterdir())  # type: ignore[attr-defined]


def test_interned_kinds_do_not_grow_with_calls(client: Client) -> None:
    executable = client.compile(identity("f32"))
    x = np.zeros(4, np.float32)
    executable(x)
    before = len(client._specs)
    for _ in range(200):
        executable(x)
    assert len(client._specs) == before
