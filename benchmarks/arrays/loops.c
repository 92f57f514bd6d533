/* The expressions of program.py as loops that a C programmer would write: `loops ELEMENTS REPETITIONS`. The result of each
 * is a new array, as NumPy's is. OpenMP runs them on all CPUs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EACH _Pragma("omp parallel for") for (long i = 0; i < n; i++)
#define MAP(name, expression) \
    static void name(long n, const double *a, const double *b, const double *c) \
    { \
        double *r = malloc(n * sizeof *r); \
        EACH r[i] = expression; \
        free(r); \
    }
#define SUM(name, expression) \
    static void name(long n, const double *a, const double *b, const double *c) \
    { \
        double s = 0.0; \
        _Pragma("omp parallel for reduction(+ : s)") for (long i = 0; i < n; i++) s += expression; \
        kept = s; \
    }

static volatile double kept;
MAP(multiply_add, a[i] * b[i] + c[i])
MAP(normalise, (a[i] - 0.5) / (b[i] + 1.0) * 2.0 + 0.25)
MAP(blend, a[i] > b[i] ? a[i] * 0.75 + b[i] * 0.25 : c[i])
MAP(polynomial, ((a[i] * 0.5 + 1.5) * a[i] - 2.0) * a[i] + b[i])
MAP(distance, sqrt((a[i] - b[i]) * (a[i] - b[i]) + (b[i] - c[i]) * (b[i] - c[i])))
MAP(gauss, exp(-(a[i] * a[i]) * 2.0) * b[i] + c[i])
MAP(waves, sin(a[i] * 3.0) * tanh(b[i]) + log(c[i] + 1.0))
SUM(squared, (a[i] - b[i]) * (a[i] - b[i]))
SUM(mean_product, a[i] * b[i] + c[i])

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int
by_size(const void *x, const void *y)
{
    double d = *(const double *)x - *(const double *)y;
    return d < 0 ? -1 : d > 0;
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(long, const double *, const double *, const double *);
    } ALL[] = {
        {"multiply_add", multiply_add}, {"normalise", normalise}, {"blend", blend}, {"polynomial", polynomial},
        {"distance", distance}, {"gauss", gauss}, {"waves", waves}, {"squared", squared},
        {"mean_product", mean_product},
    };
    long n = atol(argv[1]), repetitions = atol(argv[2]);
    double *data = malloc(3 * n * sizeof *data), *times = malloc(repetitions * sizeof *times);
    for (long i = 0; i < 3 * n; i++) {
        data[i] = rand() / (RAND_MAX + 1.0);
    }
    for (size_t e = 0; e < sizeof ALL / sizeof *ALL; e++) {
        for (long r = 0; r < repetitions; r++) {
            double start = now();
            ALL[e].run(n, data, data + n, data + 2 * n);
            times[r] = now() - start;
        }
        qsort(times, repetitions, sizeof *times, by_size);
        printf("%s %f\n", ALL[e].name, times[repetitions / 2]);
    }
    return argc > 3;
}
