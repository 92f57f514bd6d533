/* Computing on several threads: the grammar and the conventions are those of ppy_support.h. */
#ifndef PPY_THREADS_H
#define PPY_THREADS_H

/* One pool for the process; but for ppy_run_region nothing here knows of the GIL, and nothing touches an object. */

/* Calls fn(arg, lo, hi) for ranges that together are 0..n, on the calling thread and on those of the pool, and returns when
 * all have run.  The ranges depend on n and grain alone: at most 128, each of grain or more (one where n is shorter), so
 * results that are combined in the order of lo do not depend on the number of threads.  Calls inside fn run on the thread
 * that makes them.  fn is given the GIL by nobody: it must not touch objects, raise or fork; a caller that expects to take
 * long lets the GIL go around the call.  Any code in the process may call this, by symbol. */
PPY_COLD(NOFAIL) void ppy_parallel_for(int64_t n, int64_t grain, void (*fn)(void *arg, int64_t lo, int64_t hi), void *arg);
/* How many threads that uses at most, the calling one included; starts none. */
PPY_COLD(NOFAIL) int64_t ppy_thread_count(void);
/* What a new pool is sized by: PPY_NUM_THREADS, else OMP_NUM_THREADS, else the CPUs of the affinity and the control group. */
PPY_COLD(NOFAIL) int64_t ppy_usable_cpus(void);
/* CPUs that the control groups in the file system at root (a prefix, "" for this one) allow, INT64_MAX for no limit. */
PPY_COLD(NOFAIL) int64_t ppy_cgroup_cpus(const char *root);

/* Runs a loop of `trips` turns in chunks of grain turns or more: body(ctx, captures, lo, hi, partial) leaves 0 and one word
 * for each letter of kinds, or another answer when it gives up.  1: done, and values, which held what the variables had
 * before, holds what they have after the loop; 0: nothing has happened (no threads, a chunk that gave up, a result that
 * does not fit), and the loop is still to be run.  patience: two words that the loop keeps, zero at first: a loop that
 * gives up often is tried less often.  With or without the GIL.
 * Kinds: + * & | ^ words that are combined so, < > the least and the greatest, a m l g the same (+ * < >) of doubles, = the
 * last turn's. */
PPY_COLD(NOFAIL) int ppy_run_region(ppy_ctx *ctx, int64_t trips, int64_t grain, ppy_region_body body, void *captures,
                                    const char *kinds, int64_t *values, int64_t *patience);
/* In a chunk, now and then, with the context it was given: 1 when it is to give up. */
PPY_COLD(NOFAIL) int ppy_region_poll(ppy_ctx *ctx);
/* fn(x), a function of libm; ok == 0: not finite, which may be an error of CPython's. */
PPY_COLD(OK) ppy_f64r ppy_math_quiet(double (*fn)(double x), double x);

#endif
