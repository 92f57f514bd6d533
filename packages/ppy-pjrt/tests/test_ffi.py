"""FFI handlers on real plugins."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest
from pjrt_programs import custom_call
from ppy_pjrt import ffi
from ppy_pjrt.client import Client
from ppy_pjrt.errors import AlreadyExists, HandleClosed, Internal, InvalidArgument, PjrtError, Unsupported
from ppy_pjrt.ffi.host import objects
from ppy_pjrt.plugin import Plugin

pytestmark = pytest.mark.cpu
X = np.arange(4, dtype=np.float32)
_names = (f"test.{number}" for number in itertools.count())


def test_attributes_of_every_kind(plugin: Plugin, client: Client) -> None:
    name, seen = next(_names), []

    @ffi.handler(plugin, name)
    def handler(call: ffi.Call) -> None:
        seen.append((call.stage.name, call.attrs, repr(call.args[0])))
        call.results[0].view()[:] = call.args[0].view()

    attributes = (
        'i = 3 : i64, u = 255 : ui8, f = 2.5 : f32, b = true, s = "grün", v = array<i64: 1, 2, 3>, '
        "d = {x = 1 : i32, y = {z = 2.0 : f64}}"
    )
    assert client.compile(custom_call(name, attributes))(X)[0].tolist() == X.tolist()
    stage, found, shown = seen[0]
    assert stage == "EXECUTE" and "float32[4]" in shown and handler.calls == 1
    assert found == {"i": 3, "u": 255, "f": 2.5, "b": True, "s": "grün", "v": [1, 2, 3], "d": {"x": 1, "y": {"z": 2.0}}}
    assert name in ffi.registered(plugin)


def test_a_name_is_given_once_and_an_unknown_one_fails_to_compile(plugin: Plugin, client: Client) -> None:
    name = next(_names)
    ffi.register(plugin, name, lambda call: None)
    with pytest.raises(AlreadyExists, match=name):
        ffi.register(plugin, name, lambda call: None)
    with pytest.raises(PjrtError, match="nobody"):
        client.compile(custom_call("nobody"))(X)[0].wait()


@pytest.mark.parametrize(
    ("raised", "kind"),
    [(ValueError("nö"), Internal), (InvalidArgument("bad"), InvalidArgument), (KeyboardInterrupt(), Internal)],
)
def test_an_error_reaches_the_caller_and_only_that_call(
    plugin: Plugin, client: Client, raised: BaseException, kind: type[PjrtError]
) -> None:
    name, fail = next(_names), [True]

    def handler(call: ffi.Call) -> None:
        if fail[0]:
            raise raised
        call.results[0].view()[:] = call.args[0].view()

    ffi.register(plugin, name, handler)
    executable = client.compile(custom_call(name))
    with pytest.raises(kind, match=f"{type(raised).__name__}: {raised}"):
        executable(X)[0].wait()
    fail[0] = False
    assert executable(X)[0].tolist() == X.tolist()


def test_stages_and_state(plugin: Plugin, client: Client) -> None:
    name, order = next(_names), []

    def instantiate(call: ffi.Call) -> dict[str, int]:
        order.append("instantiate")
        assert not call.args
        return {"factor": call.attrs["k"]}

    def execute(call: ffi.Call) -> None:
        order.append("execute")
        np.asarray(call.results[0])[:] = call.state["factor"] * np.asarray(call.args[0])

    ffi.register(plugin, name, execute, instantiate=instantiate)
    held = len(objects)
    executable = client.compile(custom_call(name, "k = 3 : i64"))
    other = client.compile(custom_call(name, "k = 5 : i64"))
    assert executable(X)[0].tolist() == (3 * X).tolist() == executable(X)[0].tolist()
    assert other(X)[0].tolist() == (5 * X).tolist()
    assert (
        order.count("instantiate") == 2
        and order.count("execute") == 3
        and order.index("instantiate") < order.index("execute")
    )
    assert len(objects) == held + 2
    executable.close()
    other.close()
    del executable, other
    assert len(objects) == held, "the state goes with the executable"


def test_user_data(plugin: Plugin, client: Client) -> None:
    if not plugin.api.has("PJRT_ExecuteContext_Create"):
        pytest.fail("every plugin of the matrix has contexts")
    name, seen = next(_names), []
    key, other = ffi.UserData(plugin), ffi.UserData(plugin)

    def handler(call: ffi.Call) -> None:
        seen.append((call.user_data(key), call.user_data(other)))
        call.results[0].view()[:] = call.args[0].view()

    ffi.register(plugin, name, handler)
    executable = client.compile(custom_call(name))
    executable(X)[0].wait()
    with executable.context() as context:
        key.attach(context, {"a": 1})
        executable.execute(X, context=context)[0].wait()
        executable.execute_sharded([[X]], context=context)[0][0].wait()
    executable(X)[0].wait()
    assert seen == [(None, None), ({"a": 1}, None), ({"a": 1}, None), (None, None)]


def test_several_calls_at_once(plugin: Plugin, client: Client) -> None:
    """Two calls meet inside the handler: neither the GIL nor a lock of ours keeps the second out."""
    name = next(_names)
    meeting = threading.Barrier(2, timeout=30)

    def handler(call: ffi.Call) -> None:
        meeting.wait()
        np.asarray(call.results[0])[:] = np.asarray(call.args[0]) + 1

    ffi.register(plugin, name, handler)
    executable = client.compile(custom_call(name))
    results: list[list[float]] = []
    threads = [threading.Thread(target=lambda: results.append(executable(X)[0].tolist())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [(X + 1).tolist()] * 2


def test_calls_from_inside_a_handler(plugin: Plugin, client: Client) -> None:
    name = next(_names)
    inner = client.compile("module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                           " %0 = stablehlo.add %a, %a : tensor<4xf32>\n return %0 : tensor<4xf32> } }")  # fmt: skip

    def handler(call: ffi.Call) -> None:
        (out,) = inner(np.array(call.args[0]))
        np.asarray(call.results[0])[:] = out.tolist()

    ffi.register(plugin, name, handler)
    assert client.compile(custom_call(name))(X)[0].tolist() == (2 * X).tolist()


def test_shapes_scalars_and_ordinals(plugin: Plugin, client: Client) -> None:
    name, seen = next(_names), []

    def handler(call: ffi.Call) -> None:
        (x,), (y,) = call.args, call.results
        seen.append((x.shape, x.size, x.nbytes, call.device_ordinal, call.run_id))
        np.asarray(y)[...] = np.asarray(x)
        assert x.view().tolist() == np.asarray(x).tolist()

    ffi.register(plugin, name, handler)
    for kind, data in (
        ("tensor<f32>", np.float32(2.5)),
        ("tensor<2x3xf32>", np.arange(6, dtype=np.float32).reshape(2, 3)),
    ):
        text = custom_call(name).replace("tensor<4xf32>", kind)
        assert np.asarray(client.compile(text)(np.asarray(data))[0]).tolist() == data.tolist()
    assert {shape for shape, *_ in seen} == {(), (2, 3)}


def test_a_call_that_is_over_gives_nothing_away(plugin: Plugin, client: Client) -> None:
    name, kept = next(_names), []

    def handler(call: ffi.Call) -> None:
        call.results[0].view()[:] = call.args[0].view()
        kept.append((call, call.args[0]))

    ffi.register(plugin, name, handler)
    assert client.compile(custom_call(name))(X)[0].tolist() == X.tolist()
    call, argument = kept[0]
    assert argument.shape == (4,)
    for use in (
        lambda: call.args, lambda: call.results, lambda: call.attrs, lambda: call.stream, lambda: call.run_id,
        lambda: call.allocate(64), argument.bytes, argument.view, lambda: argument.__array_interface__,
    ):  # fmt: skip
        with pytest.raises(HandleClosed, match="call of a handler is over"):
            use()


def test_only_functions_are_handlers(plugin: Plugin) -> None:
    with pytest.raises(InvalidArgument, match="instantiate of the handler 'x' is a int"):
        ffi.register(plugin, "x", lambda call: None, instantiate=3)  # type: ignore[arg-type]


def test_an_extension_that_is_not_there(plugin: Plugin) -> None:
    with pytest.raises(Unsupported, match="no Triton extension; it has.*FFI"):
        plugin.require("Triton")
