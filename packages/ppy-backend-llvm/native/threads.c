/* The pool: the threads of a process that compute beside the one that asks.
 *
 * One region runs at a time.  Its range is cut into chunks beforehand, in a way that depends on its length alone; the
 * calling thread and the pool's take them one after the other, so that nothing waits for a thread that the system does
 * not let run.  Whoever comes while a region runs (a nested call, another Python thread) does its own chunks itself.
 *
 * The pool's threads start with the first region that has work for them, sleep between regions, block all signals (they
 * go to the interpreter's threads) and never end: the process's exit takes them along.  They are not Python's threads.
 *
 * A child of a fork inherits no threads, and perhaps a lock that one of them held.  It finds a pool of another process,
 * leaves it alone, and makes its own. */
#include "ppy_private.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define STACK_SIZE ((size_t)4 << 20)

typedef struct {
    void (*fn)(void *arg, int64_t lo, int64_t hi);
    void *arg;
    int64_t n, chunks;
} region;

typedef struct {
    pid_t process;
    int64_t threads; /* the calling one included; those that could be started once started is set */
    int started;
    pthread_mutex_t lock;  /* for what follows */
    pthread_cond_t work;   /* there are chunks to take */
    pthread_cond_t done;   /* no chunk is unfinished */
    int busy;
    region region;
    int64_t next;       /* first chunk that nobody has taken */
    int64_t unfinished; /* chunks that have not run to their end */
} pool;

static pool *current_pool;

/* The pool of this process, made on the first call; NULL: no memory. */
static pool *
get_pool(void)
{
    pid_t process = getpid();
    pool *found = __atomic_load_n(&current_pool, __ATOMIC_ACQUIRE);
    if (found != NULL && found->process == process) {
        return found;
    }
    pool *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->process = process;
    made->threads = ppy_usable_cpus();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->done, NULL);
    if (!__atomic_compare_exchange_n(&current_pool, &found, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made); /* another thread was faster */
        return found;
    }
    return made;
}

static void
run_chunk(const region *r, int64_t chunk)
{
    int64_t length = r->n / r->chunks, longer = r->n % r->chunks;
    int64_t lo = length * chunk + (chunk < longer ? chunk : longer);
    r->fn(r->arg, lo, lo + length + (chunk < longer));
}

/* Takes chunks until none is left; the lock is held before, after, and while one is taken. */
static void
take_chunks(pool *p)
{
    while (p->next < p->region.chunks) {
        region r = p->region;
        int64_t chunk = p->next++;
        pthread_mutex_unlock(&p->lock);
        run_chunk(&r, chunk);
        pthread_mutex_lock(&p->lock);
        if (--p->unfinished == 0) {
            pthread_cond_signal(&p->done);
        }
    }
}

static void *
work(void *argument)
{
    pool *p = argument;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        take_chunks(p);
        pthread_cond_wait(&p->work, &p->lock);
    }
    return NULL;
}

/* Starts the pool's threads, as many as the system allows; the lock is held. */
static void
start_threads(pool *p)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int64_t running = 1;
    p->started = 1;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (pthread_t thread; running < p->threads && pthread_create(&thread, &attributes, work, p) == 0; running++) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    p->threads = running;
}

/* Gives the pool a region, unless it has one: 1 when the calling thread is to take chunks of it, and the lock is held. */
static int
offer(pool *p, const region *r)
{
    pthread_mutex_lock(&p->lock);
    if (p->busy) {
        pthread_mutex_unlock(&p->lock);
        return 0;
    }
    if (!p->started) {
        start_threads(p);
    }
    p->busy = 1;
    p->region = *r;
    p->next = 0;
    p->unfinished = r->chunks;
    pthread_cond_broadcast(&p->work);
    return 1;
}

void
ppy_parallel_for(int64_t n, int64_t grain, void (*fn)(void *arg, int64_t lo, int64_t hi), void *arg)
{
    if (n <= 0) {
        return;
    }
    int64_t chunks = grain > 1 ? n / grain : n;
    region r = {fn, arg, n, chunks < 1 ? 1 : chunks < PPY_MOST_CHUNKS ? chunks : PPY_MOST_CHUNKS};
    pool *p = r.chunks > 1 ? get_pool() : NULL;
    if (p == NULL || p->threads < 2 || !offer(p, &r)) {
        for (int64_t chunk = 0; chunk < r.chunks; chunk++) {
            run_chunk(&r, chunk);
        }
        return;
    }
    take_chunks(p);
    while (p->unfinished > 0) {
        pthread_cond_wait(&p->done, &p->lock);
    }
    p->busy = 0;
    pthread_mutex_unlock(&p->lock);
}

int64_t
ppy_thread_count(void)
{
    pool *p = get_pool();
    return p == NULL ? 1 : p->threads;
}
