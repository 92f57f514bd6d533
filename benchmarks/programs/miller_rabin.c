#include "timing.h"

static int64_t power(int64_t base, int64_t exponent, int64_t modulus) {
    int64_t result = 1;
    base = base % modulus;
    while (exponent > 0) {
        if (exponent % 2 == 1) result = (__int128)result * base % modulus;
        base = (__int128)base * base % modulus;
        exponent = exponent / 2;
    }
    return result;
}

static int passes(int64_t n, int64_t base, int64_t odd, int64_t twos) {
    int64_t x = power(base, odd, n);
    if (x == 1 || x == n - 1) return 1;
    for (int64_t i = 0; i < twos - 1; i++) {
        x = (__int128)x * x % n;
        if (x == n - 1) return 1;
    }
    return 0;
}

static int is_prime(int64_t n) {
    static const int64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    int64_t odd = n - 1, twos = 0;
    while (odd % 2 == 0) {
        odd /= 2;
        twos++;
    }
    for (int i = 0; i < 12; i++)
        if (!passes(n, bases[i], odd, twos)) return 0;
    return 1;
}

static int64_t kernel(int64_t count) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) found += is_prime(2305843009213693952 + 2 * i + 1);
    return found;
}

MAIN(int64_t, PRId64)
