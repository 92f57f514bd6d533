"""The same programs elsewhere: JAX with its own client of the same plugin, and an interpreter of our own."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ppy_pjrt.client import Client

pytestmark = pytest.mark.cpu

FUNCTIONS = {
    "tanh": "lambda a, b: jnp.tanh(a * b + 1)",
    "softmax": "lambda a, b: jax.nn.softmax(a @ b.T)",
    "sort": "lambda a, b: (jnp.sort(a, axis=1), jnp.argsort(b, axis=0))",
    "scan": "lambda a, b: jax.lax.scan(lambda c, x: (c + x, c * x), a[0], b)",
    "cumsum": "lambda a, b: jnp.cumsum(a, axis=0) + jnp.max(b)",
    "integers": "lambda a, b: (a.astype(jnp.int32) % 7, b.astype(jnp.int8), a > b)",
    "bf16": "lambda a, b: (a.astype(jnp.bfloat16) @ b.T.astype(jnp.bfloat16))",
    "complex": "lambda a, b: jnp.fft.fft(a + 1j * b)",
    "gather": "lambda a, b: a[jnp.array([2, 0, 3])][:, ::2]",
    "random": "lambda a, b: jax.random.normal(jax.random.key(3), (8,)) + a[0, 0]",
}

_JAX = """
import sys, pickle, numpy as np, jax, jax.numpy as jnp
from jax._src import xla_bridge
xla_bridge.register_plugin("other", library_path=sys.argv[1])
jax.config.update("jax_platforms", "other")
rng = np.random.default_rng(0)
a, b = (rng.standard_normal((4, 6)).astype("float32") for _ in range(2))
out = {}
for name, source in pickle.load(sys.stdin.buffer).items():
    f = jax.jit(eval(source))
    values = [np.asarray(x) for x in jax.tree.leaves(f(a, b))]
    out[name] = (f.lower(a, b).as_text(), [x.tobytes() for x in values], [(str(x.dtype), x.shape) for x in values])
pickle.dump(out, sys.stdout.buffer)
"""


def test_results_are_those_of_jax_on_the_same_plugin_to_the_byte(plugin_path: Path, client: Client) -> None:
    """JAX, with jaxlib's own C++ client of this very plugin, is the second opinion."""
    pytest.importorskip("jax")
    command = [sys.executable, "-c", _JAX, str(plugin_path)]
    done = subprocess.run(command, input=pickle.dumps(FUNCTIONS), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((4, 6)).astype("float32") for _ in range(2))
    for name, (text, wanted, kinds) in pickle.loads(done.stdout).items():
        executable = client.compile(text)
        results = executable(*[a, b][: len(executable.signature.parameters)])
        assert [(str(r.dtype), r.shape) for r in results] == kinds, name
        assert [np.asarray(r).tobytes() for r in results] == wanted, name


OPS = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


def _random_program(seed: int) -> tuple[str, list[np.ndarray], np.ndarray]:
    """A program over int32 matrices, and its value by NumPy: wrap-around arithmetic is the same to the bit."""
    rng = random.Random(seed)
    arrays = np.random.default_rng(seed)
    shape = (rng.randint(1, 5), rng.randint(1, 5))
    inputs = [arrays.integers(-(2**31), 2**31, shape, dtype=np.int32) for _ in range(rng.randint(1, 4))]
    values: list[tuple[str, np.ndarray]] = [(f"%a{i}", value) for i, value in enumerate(inputs)]
    lines = []

    def kind(value: np.ndarray) -> str:
        return f"tensor<{value.shape[0]}x{value.shape[1]}xi32>"

    for index in range(rng.randint(1, 12)):
        name, first = f"%v{index}", rng.choice(values)
        if rng.random() < 0.2:
            result = first[1].T
            types = f"({kind(first[1])}) -> {kind(result)}"
            lines.append(f"{name} = stablehlo.transpose {first[0]}, dims = [1, 0] : {types}")
        elif rng.random() < 0.15:
            result = -first[1]
            lines.append(f"{name} = stablehlo.negate {first[0]} : {kind(result)}")
        else:
            second = rng.choice([v for v in values if v[1].shape == first[1].shape])
            op = rng.choice(list(OPS))
            result = OPS[op](first[1], second[1])
            lines.append(f"{name} = stablehlo.{op} {first[0]}, {second[0]} : {kind(result)}")
        values.append((name, np.ascontiguousarray(result)))
    last = values[-1]
    names = ", ".join(f"%a{i}: {kind(value)}" for i, value in enumerate(inputs))
    body, result = "\n".join(lines), kind(last[1])
    return (
        f"module {{ func.func public @main({names}) -> {result} {{\n{body}\nreturn {last[0]} : {result} }} }}",
        inputs,
        last[1],
    )


def test_random_programs_against_an_interpreter(client: Client) -> None:
    with np.errstate(over="ignore"):
        for seed in range(12):
            text, inputs, want = _random_program(seed * 31 + client.api.minor)
            got = np.asarray(client.compile(text)(*inputs)[0])
            assert got.tolist() == want.tolist(), text
