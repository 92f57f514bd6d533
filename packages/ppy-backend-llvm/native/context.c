/* Contexts of threads, polls, the GIL, and stacks that go on in new segments. */
#include "ppy_private.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define POLL_PERIOD 65536
#define SEGMENT_SIZE ((size_t)64 << 20)
#define BYTES_PER_LEVEL 1024 /* native stack that one level of the recursion limit stands for */
#define MAX_MARGIN ((size_t)1 << 20)

static ppy_ctx *contexts;
int ppy_counting;

/* A context that matches no thread, and a thread state that matches no context. */
static ppy_ctx no_context;
static PyThreadState no_thread = {.id = UINT64_MAX};
static PyThreadState *const no_holder = &no_thread;
ppy_current_context ppy_current = {&no_context, &no_holder};

/* Room that must stay for C code called from native code. */
static size_t
stack_margin(size_t size)
{
    return size / 8 < MAX_MARGIN ? size / 8 : MAX_MARGIN;
}

static void
use_stack(ppy_ctx *ctx, uintptr_t end)
{
    ctx->stack_end = end;
    ctx->stack_limit = ppy_counting ? UINTPTR_MAX : end;
}

void
ppy_count_levels(int counting)
{
    ppy_counting = counting;
    for (ppy_ctx *ctx = contexts; ctx != NULL; ctx = ctx->next) {
        use_stack(ctx, ctx->stack_end);
    }
}

static uint64_t
fail_seed(void)
{
    const char *text = getenv("PPY_FAIL_GUARDS");
    return text == NULL || *text == 0 ? 0 : strtoull(text, NULL, 10) * 0x9E3779B97F4A7C15u | 1;
}

static void
init_context(ppy_ctx *ctx, PyThreadState *tstate)
{
    pthread_attr_t attributes;
    void *base = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &base, &size);
        pthread_attr_destroy(&attributes);
    }
    if (size == 0) { /* unknown: allow 64 KiB from here */
        size = 64 << 10;
        base = (char *)__builtin_frame_address(0) - size;
    }
    ctx->tstate = tstate;
    ctx->thread_id = tstate->id;
    ctx->poll = POLL_PERIOD;
    ctx->gil_released = 0;
    ctx->is_main = _PyOS_IsMainThread();
    ctx->fail_seed = fail_seed();
    ctx->segment_bytes = (int64_t)size;
    use_stack(ctx, (uintptr_t)base + stack_margin(size));
}

void
ppy_find_holder(void)
{
#if PPY_PY311
    PyThreadState *const volatile *place = (void *)&_PyRuntime.gilstate.tstate_current;
#else
    struct _gil_runtime_state *gil = PyThreadState_Get()->interp->ceval.gil;
    PyThreadState *const volatile *place = gil == NULL ? NULL : (void *)&gil->last_holder;
#endif
    if (place != NULL && *place == PyThreadState_Get()) {
        ppy_current.holder = place;
    }
}

ppy_ctx *
ppy_ctx_find(void)
{
    PyThreadState *tstate = PPY_UNCHECKED_TSTATE();
    ppy_ctx *ctx;
    for (ctx = contexts; ctx != NULL && ctx->tstate != tstate; ctx = ctx->next) {
    }
    if (ctx == NULL) {
        ctx = calloc(1, sizeof *ctx);
        if (ctx == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        ctx->next = contexts;
        contexts = ctx;
    }
    if (ctx->tstate != tstate || ctx->thread_id != tstate->id) { /* new, or left by a dead thread */
        init_context(ctx, tstate);
    }
    ppy_current.ctx = ctx;
    return ctx;
}

int
ppy_fail_guard(ppy_ctx *ctx)
{
    uint64_t x = ctx->fail_seed;
    if (PPY_LIKELY(x == 0)) {
        return 0;
    }
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    ctx->fail_seed = x;
    return x >> 60 == 0;
}

/* ---- polls ---- */

/* A request to the evaluation loop is pending (perhaps for another thread). */
static int
requested(PyThreadState *tstate)
{
#if PPY_PY313
    return (tstate->eval_breaker & _PY_EVAL_EVENTS_MASK) != 0;
#else
    return !ppy_breaker_known || _Py_atomic_load_relaxed(&tstate->interp->ceval.eval_breaker);
#endif
}

int
ppy_urgent(ppy_ctx *ctx)
{
#if PPY_PY313
    uintptr_t bits = _PY_SIGNALS_PENDING_BIT | _PY_CALLS_TO_DO_BIT | _PY_ASYNC_EXCEPTION_BIT;
    return (_Py_atomic_load_uintptr_relaxed(&ctx->tstate->eval_breaker) & bits) != 0;
#else
    if (*(PyObject *volatile *)&ctx->tstate->async_exc != NULL) {
        return 1;
    }
    if (!ctx->is_main) {
        return 0;
    }
    if (ppy_exact_headers) {
        return _Py_atomic_load_relaxed(&_PyRuntime.ceval.signals_pending);
    }
    return requested(ctx->tstate);
#endif
}

#if !PPY_PY313
/* Lets the evaluation loop itself serve its requests: it does so when a function starts. */
static int
run_empty_function(void)
{
    static PyObject *function;
    if (function == NULL) {
        PyObject *globals = PyDict_New();
        PyObject *code = globals == NULL ? NULL : Py_CompileString("None", "<ppy poll>", Py_eval_input);
        ppy_binding_off++;
        function = code == NULL ? NULL : PyFunction_New(code, globals);
        ppy_binding_off--;
        Py_XDECREF(globals);
        Py_XDECREF(code);
        if (function == NULL) {
            return -1;
        }
    }
    PyObject *result = PyObject_CallNoArgs(function);
    if (result != NULL) {
        Py_DECREF(result);
        return 0;
    }
    ppy_drop_outer_entry();
    return -1;
}
#endif

static int
serve(ppy_ctx *ctx)
{
#if PPY_PY313
    int failed = _Py_HandlePending(ctx->tstate) < 0;
#else
    int failed = PyErr_CheckSignals() < 0 || (requested(ctx->tstate) && run_empty_function() < 0);
#endif
    return failed ? PPY_POLL_RAISED : PPY_POLL_RAN;
}

int
ppy_poll(ppy_ctx *ctx)
{
    ctx->poll = POLL_PERIOD;
    return requested(ctx->tstate) ? serve(ctx) : PPY_POLL_QUIET;
}

int
ppy_poll_nogil(ppy_ctx *ctx)
{
    ctx->poll = POLL_PERIOD;
    if (!ctx->gil_released) {
        if (requested(ctx->tstate)) {
            return serve(ctx);
        }
        PyEval_SaveThread();
        ctx->gil_released = 1;
        return PPY_POLL_QUIET;
    }
    if (!ppy_urgent(ctx)) {
        return PPY_POLL_QUIET;
    }
    ppy_gil_take_slow(ctx);
    return serve(ctx);
}

void
ppy_gil_take_slow(ppy_ctx *ctx)
{
    PyEval_RestoreThread(ctx->tstate);
    ctx->gil_released = 0;
}

/* ---- stack ---- */

void
ppy_recursion_error(void)
{
    PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded");
}

typedef struct { ucontext_t caller, callee; void (*tramp)(void *); void *arg; } stack_switch;

static void
run_switched(unsigned low, unsigned high)
{
    stack_switch *job = (stack_switch *)((uintptr_t)high << 32 | low);
    job->tramp(job->arg);
}

static void *
new_segment(ppy_ctx *ctx)
{
    void *segment = ctx->spare_segment;
    if (segment != NULL) {
        ctx->spare_segment = NULL;
        return segment;
    }
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    segment = mmap(NULL, SEGMENT_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (segment == MAP_FAILED) {
        return NULL;
    }
    mprotect(segment, 4096, PROT_NONE);
    return segment;
}

int
ppy_call_on_new_stack(ppy_ctx *ctx, void (*tramp)(void *), void *arg)
{
    int64_t wanted = (int64_t)Py_GetRecursionLimit() * BYTES_PER_LEVEL;
    if (ppy_counting && (uintptr_t)__builtin_frame_address(0) > ctx->stack_end) {
        return ppy_call_counted(ctx, tramp, arg);
    }
    void *segment = ctx->segment_bytes < wanted ? new_segment(ctx) : NULL;
    if (segment == NULL) {
        ppy_recursion_error();
        return -1;
    }
    stack_switch *job = (stack_switch *)((char *)segment + SEGMENT_SIZE) - 1;
    uintptr_t old_end = ctx->stack_end;
    job->tramp = tramp;
    job->arg = arg;
    getcontext(&job->callee);
    job->callee.uc_stack.ss_sp = (char *)segment;
    job->callee.uc_stack.ss_size = (size_t)((char *)job - (char *)segment) & ~(size_t)63;
    job->callee.uc_link = &job->caller;
    makecontext(&job->callee, (void (*)(void))run_switched, 2, (unsigned)(uintptr_t)job,
                (unsigned)((uintptr_t)job >> 32));
    ctx->segment_bytes += SEGMENT_SIZE;
    use_stack(ctx, (uintptr_t)segment + 4096 + stack_margin(SEGMENT_SIZE));
    swapcontext(&job->caller, &job->callee);
    ctx->segment_bytes -= SEGMENT_SIZE;
    use_stack(ctx, old_end);
    if (ctx->spare_segment == NULL) {
        ctx->spare_segment = segment;
    }
    else {
        munmap(segment, SEGMENT_SIZE);
    }
    return 0;
}
