#include "timing.h"

static int64_t kernel(int64_t size) {
    int64_t total = 0;
    for (int64_t row = 0; row < size; row++) {
        double ci = 2.0 * row / size - 1.0;
        for (int64_t column = 0; column < size; column++) {
            double cr = 2.0 * column / size - 1.5, zr = 0.0, zi = 0.0;
            int64_t count = 0;
            while (count < 100) {
                double zr2 = zr * zr, zi2 = zi * zi;
                if (zr2 + zi2 > 4.0) break;
                zi = 2.0 * zr * zi + ci;
                zr = zr2 - zi2 + cr;
                count++;
            }
            total += count;
        }
    }
    return total;
}

MAIN(int64_t, PRId64)
