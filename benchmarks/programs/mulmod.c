#include "timing.h"

static int64_t kernel(int64_t steps) {
    int64_t m = 2305843009213693921, a = 1234567890123456789, x = 987654321987654321;
    for (int64_t i = 0; i < steps; i++) x = (__int128)x * a % m;
    return x;
}

MAIN(int64_t, PRId64)
