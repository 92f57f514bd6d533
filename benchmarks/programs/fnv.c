#include "timing.h"

static uint64_t kernel(int64_t steps) {
    uint64_t x = 14695981039346656037u;
    for (int64_t i = 0; i < steps; i++) {
        x = (x ^ (i & 255)) * 1099511628211u;
    }
    return x;
}

MAIN(uint64_t, PRIu64)
