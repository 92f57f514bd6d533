#include "timing.h"

static uint64_t kernel(int64_t steps) {
    uint64_t x = 88172645463325252;
    for (int64_t i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

MAIN(uint64_t, PRIu64)
