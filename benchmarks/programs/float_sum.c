#include "timing.h"

/* What -fassociative-math needs in gcc to have an effect. */
#pragma GCC optimize("associative-math,no-signed-zeros,no-trapping-math")
static double kernel(int64_t steps) {
    double total = 0.0, x = 0.25;
    for (int64_t i = 0; i < steps; i++) {
        total += x * 0.5;
        x += 0.5;
    }
    return total;
}

MAIN(double, ".1f")
