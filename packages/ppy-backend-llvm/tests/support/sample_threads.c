/* Users of the pool, compiled by hand: what test_threads.py asks of it. */
#include "ppy_support.h"
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 100000 };

typedef struct { int64_t n, ranges, least, most; unsigned char seen[LARGEST]; int64_t bounds[256]; } coverage;

static void
cover(void *arg, int64_t lo, int64_t hi)
{
    coverage *c = arg;
    int64_t at = __atomic_fetch_add(&c->ranges, 1, __ATOMIC_RELAXED);
    if (at < 256) {
        c->bounds[at] = lo;
    }
    for (int64_t i = lo; i < hi; i++) {
        __atomic_fetch_add(&c->seen[i], 1, __ATOMIC_RELAXED);
    }
}

/* Number of ranges when each index was seen once, else -1; the sum of their bounds in *bounds. */
int64_t
threads_cover(int64_t n, int64_t grain, int64_t *bounds)
{
    static coverage c;
    memset(&c, 0, sizeof c);
    ppy_parallel_for(n, grain, cover, &c);
    *bounds = 0;
    for (int64_t i = 0; i < n; i++) {
        if (c.seen[i] != 1) {
            return -1;
        }
    }
    for (int64_t i = 0; i < c.ranges && i < 256; i++) {
        *bounds += c.bounds[i];
    }
    return c.ranges;
}

typedef struct { int64_t wanted, inside, most; pthread_t caller; int64_t elsewhere; } meeting;

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waits until as many threads are inside at once as wanted, 20 s at most. */
static void
meet(void *arg, int64_t lo, int64_t hi)
{
    meeting *m = arg;
    double end = now() + 20;
    (void)lo, (void)hi;
    if (!pthread_equal(pthread_self(), m->caller)) {
        __atomic_fetch_add(&m->elsewhere, 1, __ATOMIC_RELAXED);
    }
    int64_t inside = __atomic_add_fetch(&m->inside, 1, __ATOMIC_SEQ_CST);
    if (inside > m->most) {
        m->most = inside;
    }
    while (__atomic_load_n(&m->most, __ATOMIC_SEQ_CST) < m->wanted && now() < end) {
        usleep(200);
    }
    __atomic_sub_fetch(&m->inside, 1, __ATOMIC_SEQ_CST);
}

/* The most threads that were in a region of n chunks at the same time. */
int64_t
threads_meet(int64_t n, int64_t wanted)
{
    meeting m = {.wanted = wanted, .caller = pthread_self()};
    ppy_parallel_for(n, 1, meet, &m);
    return m.most;
}

static void
count_elsewhere(void *arg, int64_t lo, int64_t hi)
{
    meeting *m = arg;
    (void)lo, (void)hi;
    if (!pthread_equal(pthread_self(), m->caller)) {
        __atomic_fetch_add(&m->elsewhere, 1, __ATOMIC_RELAXED);
    }
}

static void
nest(void *arg, int64_t lo, int64_t hi)
{
    meeting inner = {.caller = pthread_self()};
    for (int64_t i = lo; i < hi; i++) {
        ppy_parallel_for(64, 1, count_elsewhere, &inner);
    }
    __atomic_fetch_add((int64_t *)arg, inner.elsewhere, __ATOMIC_RELAXED);
}

/* Chunks of nested regions that ran on another thread than the one that asked. */
int64_t
threads_nest(void)
{
    int64_t elsewhere = 0;
    ppy_parallel_for(64, 1, nest, &elsewhere);
    return elsewhere;
}

static int64_t held, let_go;

static void
hold(void *arg, int64_t lo, int64_t hi)
{
    double end = now() + 20;
    (void)arg, (void)lo, (void)hi;
    __atomic_fetch_add(&held, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&let_go, __ATOMIC_SEQ_CST) && now() < end) {
        usleep(200);
    }
}

/* A region that lasts until threads_release. */
void
threads_hold(void)
{
    ppy_parallel_for(8, 1, hold, NULL);
}

int64_t threads_held(void) { return __atomic_load_n(&held, __ATOMIC_SEQ_CST); }
void threads_release(void) { __atomic_store_n(&let_go, 1, __ATOMIC_SEQ_CST); }

static void
add(void *arg, int64_t lo, int64_t hi)
{
    int64_t sum = 0;
    for (int64_t i = lo; i < hi; i++) {
        sum += i;
    }
    __atomic_fetch_add((int64_t *)arg, sum, __ATOMIC_RELAXED);
}

/* The sum of 0..n-1. */
int64_t
threads_sum(int64_t n)
{
    int64_t sum = 0;
    ppy_parallel_for(n, 16, add, &sum);
    return sum;
}

static void *
sum_often(void *wrong)
{
    for (int64_t round = 0; round < 300; round++) {
        int64_t n = 1000 + round;
        __atomic_fetch_add((int64_t *)wrong, threads_sum(n) != n * (n - 1) / 2, __ATOMIC_RELAXED);
    }
    return NULL;
}

/* Wrong sums that several threads of C get, each starting region after region. */
int64_t
threads_crowd(void)
{
    int64_t wrong = 0;
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) {
        wrong += pthread_create(&threads[i], NULL, sum_often, &wrong) != 0;
    }
    for (int i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
    }
    return wrong;
}

typedef struct { int64_t step, fails_at; } progress;

/* A chunk of a loop over i in 0..trips: the sum of i * step, the xor, the last i; gives up at the turn fails_at. */
static int64_t
advance(ppy_ctx *ctx, void *captures, int64_t lo, int64_t hi, int64_t *partial)
{
    progress *p = captures;
    int64_t sum = 0, mixed = 0;
    for (int64_t i = lo; i < hi; i++) {
        if (i == p->fails_at || ppy_region_poll(ctx)) {
            return 1;
        }
        sum += i * p->step;
        mixed ^= i;
    }
    partial[0] = sum, partial[1] = mixed, partial[2] = hi - 1;
    return 0;
}

/* Runs it with the calling thread's context; values has 3 words, patience 2. */
int
threads_region(ppy_ctx *ctx, int64_t trips, int64_t step, int64_t fails_at, int64_t *values, int64_t *patience)
{
    progress p = {step, fails_at};
    return ppy_run_region(ctx, trips, 100, advance, &p, "+^=", values, patience);
}

static void nothing(void *arg, int64_t lo, int64_t hi) { (void)arg, (void)lo, (void)hi; }

/* Nanoseconds that a region with nothing to do takes, the least of many. */
double
threads_latency(int64_t n)
{
    double least = 1;
    for (int i = 0; i < 2000; i++) {
        double start = now();
        ppy_parallel_for(n, 1, nothing, NULL);
        double took = now() - start;
        least = took < least ? took : least;
    }
    return least * 1e9;
}
