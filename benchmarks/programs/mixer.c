#include "timing.h"

static uint64_t kernel(int64_t steps) {
    uint64_t x = 1;
    for (int64_t i = 0; i < steps; i++) {
        x = x + i;
        x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDu;
        x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53u;
        x ^= x >> 33;
    }
    return x;
}

MAIN(uint64_t, PRIu64)
