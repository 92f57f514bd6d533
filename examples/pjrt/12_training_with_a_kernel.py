"""A training loop: parameters donated from step to step, a custom kernel for the gradient, checkpoints, resuming.

python 12_training_with_a_kernel.py [PLUGIN]     (a CPU plugin)
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import ppy_pjrt
from ppy_pjrt import ffi

STEP = """
module { func.func public @main(%theta: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64x3xf32>,
                                %y: tensor<64xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %predicted = stablehlo.dot %x, %theta : (tensor<64x3xf32>, tensor<3xf32>) -> tensor<64xf32>
  %error = stablehlo.subtract %predicted, %y : tensor<64xf32>
  %gradient, %loss = stablehlo.custom_call @example.gradient(%x, %error) {api_version = 4 : i32}
      : (tensor<64x3xf32>, tensor<64xf32>) -> (tensor<3xf32>, tensor<f32>)
  %rate = stablehlo.constant dense<0.1> : tensor<3xf32>
  %step = stablehlo.multiply %gradient, %rate : tensor<3xf32>
  %next = stablehlo.subtract %theta, %step : tensor<3xf32>
  return %next, %loss : tensor<3xf32>, tensor<f32>
} }
"""
TRUE = np.array([1.0, -2.0, 0.5], np.float32)


def gradient(call: ffi.Call) -> None:
    x, error = map(np.asarray, call.args)
    slope, loss = map(np.asarray, call.results)
    slope[:] = x.T @ error / len(error)
    loss[...] = np.mean(error * error)


def train(client: ppy_pjrt.Client, folder: Path, until: int) -> np.ndarray:
    saved = folder / "theta.npz"
    done, theta = 0, np.zeros(3, np.float32)
    if saved.exists():
        state = np.load(saved)
        done, theta = int(state["done"]), state["theta"]
    random = np.random.default_rng(0)
    x = random.standard_normal((64, 3)).astype(np.float32)
    with ppy_pjrt.Session(client) as session:
        step = session.program(STEP, ["theta", "x", "y"], ["theta", "loss"])
        for name, value in (("theta", theta), ("x", x), ("y", x @ TRUE)):
            session.set(name, value)
        for _ in range(done, until):
            results = step()
            session.feed_back({"theta": results["theta"]})
        theta = np.array(session.get("theta"))
        np.savez(saved, done=until, theta=theta)
        print(f"after {until} steps: loss {results['loss'].item():.2e}, theta {theta.round(3)}")
    return theta


def main() -> None:
    client = ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu")
    ffi.register(client.plugin, "example.gradient", gradient)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        whole = train(client, Path(one), 200)
        train(client, Path(two), 80)
        resumed = train(client, Path(two), 200)
    assert whole.tobytes() == resumed.tobytes(), "resuming is exact"
    assert np.allclose(whole, TRUE, atol=1e-2)


if __name__ == "__main__":
    main()
