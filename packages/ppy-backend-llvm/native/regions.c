/* Loops of compiled functions on the pool.
 *
 * The body of an eligible loop has no effects: each chunk leaves nothing but a few words, its partial results.  A chunk
 * that cannot go on (a failed guard, an exception, a signal that waits) gives up, and so does the whole region: nothing
 * that anybody could see has happened, and the caller runs the loop from its start as if there had been no region. */
#include "ppy_private.h"
#include <pthread.h>
#include <stdlib.h>

#define STACK_OF_CHUNK ((uintptr_t)3 << 20) /* of the 4 MiB that a thread of the pool has */
#define MOST_PATIENCE 1024

typedef struct {
    ppy_ctx *ctx; /* of the thread that asks */
    pthread_t thread;
    int64_t trips, chunks, words;
    ppy_region_body body;
    void *captures;
    int64_t *partials;
    int failed;
} running_region;

/* The context of a chunk: what native code reads of it, and its region. */
typedef struct {
    ppy_ctx ctx;
    running_region *region;
} chunk_ctx;

static void
give_up(running_region *r)
{
    __atomic_store_n(&r->failed, 1, __ATOMIC_RELAXED);
}

int
ppy_region_poll(ppy_ctx *ctx)
{
    running_region *r = ((chunk_ctx *)ctx)->region;
    if (ppy_urgent(r->ctx)) {
        give_up(r);
    }
    return __atomic_load_n(&r->failed, __ATOMIC_RELAXED);
}

static void
run_chunks(void *arg, int64_t first, int64_t end)
{
    running_region *r = arg;
    chunk_ctx c = {.region = r};
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    c.ctx.stack_limit = pthread_equal(pthread_self(), r->thread) ? r->ctx->stack_limit : here - STACK_OF_CHUNK;
    c.ctx.fail_seed = r->ctx->fail_seed == 0 ? 0 : r->ctx->fail_seed + (uint64_t)first * 2;
    for (int64_t chunk = first; chunk < end && !ppy_region_poll(&c.ctx); chunk++) {
        int64_t length = r->trips / r->chunks, longer = r->trips % r->chunks;
        int64_t lo = length * chunk + (chunk < longer ? chunk : longer);
        if (r->body(&c.ctx, r->captures, lo, lo + length + (chunk < longer), r->partials + chunk * r->words) != 0) {
            give_up(r);
        }
    }
}

static double
as_double(int64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static int64_t
as_word(double value)
{
    int64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Combines a partial result with what came before it; 0: the sum or product does not fit. */
static int
combine(int kind, int64_t *value, int64_t partial)
{
    switch (kind) {
    case '+':
        return !__builtin_add_overflow(*value, partial, value);
    case '*':
        return !__builtin_mul_overflow(*value, partial, value);
    case '&':
        *value &= partial;
        return 1;
    case '|':
        *value |= partial;
        return 1;
    case '^':
        *value ^= partial;
        return 1;
    case '<':
        *value = partial < *value ? partial : *value;
        return 1;
    case '>':
        *value = partial > *value ? partial : *value;
        return 1;
    case 'a':
        *value = as_word(as_double(*value) + as_double(partial));
        return 1;
    case 'm':
        *value = as_word(as_double(*value) * as_double(partial));
        return 1;
    case 'l':
        *value = as_double(partial) < as_double(*value) ? partial : *value;
        return 1;
    case 'g':
        *value = as_double(partial) > as_double(*value) ? partial : *value;
        return 1;
    default: /* '=': the last chunk's */
        *value = partial;
        return 1;
    }
}

static int
run_region(running_region *r, const char *kinds, int64_t *values)
{
    int held = !r->ctx->gil_released;
    PyThreadState *tstate = held ? PyEval_SaveThread() : NULL;
    ppy_parallel_for(r->chunks, 1, run_chunks, r);
    if (held) {
        PyEval_RestoreThread(tstate);
    }
    for (int64_t chunk = 0; chunk < r->chunks && !r->failed; chunk++) {
        for (int64_t word = 0; word < r->words; word++) {
            if (!combine(kinds[word], &values[word], r->partials[chunk * r->words + word])) {
                r->failed = 1;
            }
        }
    }
    return !r->failed;
}

int
ppy_run_region(ppy_ctx *ctx, int64_t trips, int64_t grain, ppy_region_body body, void *captures, const char *kinds,
               int64_t *values, int64_t *patience)
{
    /* patience[0]: turns to let pass; [1]: how many the next failure costs, doubled each time */
    if (patience[0] > 0) {
        patience[0]--;
        return 0;
    }
    int64_t chunks = trips / grain, most = ppy_thread_count() > 1 ? PPY_MOST_CHUNKS : 1;
    running_region r = {.ctx = ctx, .thread = pthread_self(), .trips = trips, .words = (int64_t)strlen(kinds),
                        .body = body, .captures = captures};
    r.chunks = chunks < most ? chunks : most;
    r.partials = r.chunks > 1 ? malloc((size_t)(r.chunks * r.words + 1) * sizeof *r.partials) : NULL;
    if (r.partials == NULL) {
        return 0;
    }
    int done = run_region(&r, kinds, values);
    free(r.partials);
    patience[1] = done ? 0 : patience[1] < MOST_PATIENCE ? 2 * patience[1] + 1 : MOST_PATIENCE;
    patience[0] = patience[1] / 2;
    return done;
}

ppy_f64r
ppy_math_quiet(double (*fn)(double x), double x)
{
    double value = fn(x);
    return (ppy_f64r){value, isfinite(value)};
}
