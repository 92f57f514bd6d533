#include "timing.h"

static int64_t kernel(int64_t rows) {
    int64_t total = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < 2000; j++) {
            int64_t low = (i ^ j) < 1000 ? i ^ j : 1000;
            total += low * 3 + j;
        }
    return total;
}

MAIN(int64_t, PRId64)
