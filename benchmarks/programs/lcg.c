#include "timing.h"

static uint64_t kernel(int64_t steps) {
    uint64_t x = 1;
    for (int64_t i = 0; i < steps; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
    }
    return x;
}

MAIN(uint64_t, PRIu64)
