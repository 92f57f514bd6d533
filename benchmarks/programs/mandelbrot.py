"""Escape counts of the Mandelbrot set: floats in a loop with an early exit."""

from __future__ import annotations

from timing import main


def kernel(size: int) -> int:
    total = 0
    for row in range(size):
        ci = 2.0 * row / size - 1.0
        for column in range(size):
            cr = 2.0 * column / size - 1.5
            zr = 0.0
            zi = 0.0
            count = 0
            while count < 100:
                zr2 = zr * zr
                zi2 = zi * zi
                if zr2 + zi2 > 4.0:
                    break
                zi = 2.0 * zr * zi + ci
                zr = zr2 - zi2 + cr
                count += 1
            total += count
    return total


if __name__ == "__main__":
    main(kernel)
