#include "timing.h"

static int64_t kernel(int64_t limit) {
    int64_t most = 0;
    for (int64_t start = 1; start < limit; start++) {
        int64_t n = start, steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        if (steps > most) most = steps;
    }
    return most;
}

MAIN(int64_t, PRId64)
