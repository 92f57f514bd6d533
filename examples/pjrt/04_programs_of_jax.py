"""JAX produces the program, ppy-pjrt runs it: text, and portable bytecode for the version this plugin reads.

python 04_programs_of_jax.py [PLUGIN]        (needs jax)
"""

import sys

import numpy as np
import ppy_pjrt


def main() -> None:
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        print("jax is not installed: nothing to show")
        return
    jax.config.update("jax_platforms", "cpu")
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    function = jax.jit(lambda a: jnp.tanh(a * a + 1))
    with ppy_pjrt.Client(sys.argv[1] if len(sys.argv) > 1 else "cpu") as client:
        print("this plugin reads StableHLO", client.plugin.stablehlo_versions)
        from_text = client.compile(function.lower(x).as_text())
        from_bytecode = client.compile(jax.export.export(function)(x).mlir_module_serialized)
        one, two = (np.asarray(executable(x)[0]) for executable in (from_text, from_bytecode))
        assert one.tobytes() == two.tobytes()
        print("largest difference from jax:", float(np.abs(one - np.asarray(function(x))).max()))


if __name__ == "__main__":
    main()
