"""Many planets around one sun: positions and velocities as arrays, a step at a time."""
import sys

import numpy as np
from numpy.typing import NDArray


def accelerate(x: NDArray[np.float64], y: NDArray[np.float64]):
    """The pull of the sun on every planet, along x and y."""
    squared = x * x + y * y
    strength = -1.0 / (squared * np.sqrt(squared))
    return x * strength, y * strength


def energy(x: NDArray[np.float64], y: NDArray[np.float64], vx: NDArray[np.float64], vy: NDArray[np.float64]):
    """The sum over all planets, which a good integrator keeps."""
    return ((vx * vx + vy * vy) * 0.5 - 1.0 / np.sqrt(x * x + y * y)).sum()


def simulate(planets: int, steps: int, dt: float) -> None:
    angle = np.linspace(0.0, 6.0, planets)
    radius = np.linspace(1.0, 3.0, planets)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    speed = 1.0 / np.sqrt(radius)
    vx, vy = -speed * np.sin(angle), speed * np.cos(angle)
    before = energy(x, y, vx, vy)
    ax, ay = accelerate(x, y)
    for _ in range(steps):
        vx, vy = vx + ax * (dt * 0.5), vy + ay * (dt * 0.5)
        x, y = x + vx * dt, y + vy * dt
        ax, ay = accelerate(x, y)
        vx, vy = vx + ax * (dt * 0.5), vy + ay * (dt * 0.5)
    after = energy(x, y, vx, vy)
    print(f"{planets:,} planets, {steps} steps: energy {before:.6f}, then {after:.6f}")


def main() -> None:
    planets = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    simulate(planets, steps, 0.01)


main()
