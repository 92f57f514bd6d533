/* A module compiled by hand, as the backend would: see SOURCE in sample.py for what it means. */
#include "ppy_internal.h"
#include "ppy_hot.h"

enum { F_MODULE, F_ADD, F_LOOK, F_FAIL, F_OUTER, F_MAKE, F_INNER, F_BUMP, F_DEPTH, F_SPIN, F_REST, N_FUNCTIONS };
enum { C_ADD, C_LOOK, C_FAIL, C_OUTER, C_MAKE, C_BUMP, C_COUNTER, C_DEPTH, C_SPIN, C_REST, C_MISSING, C_LEN, C_CLS, N_CELLS };

int64_t sample_lasti[N_FUNCTIONS];
static PyObject *consts[64];
static ppy_function functions[N_FUNCTIONS];
static ppy_cell cells[N_CELLS];
static ppy_unit unit;

/* ---- add(a, b=10, *, c=0) ---- */

static PyObject *
add_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *slots[3];
    if (!ppy_entry_valid(func, &functions[F_ADD])
        || ppy_bind_args(&functions[F_ADD], func, args, nargsf, kwnames, slots) < 0) {
        return ppy_call_original(func, args, nargsf, kwnames);
    }
    ppy_i64r a = ppy_unbox_i64(slots[0]), b = ppy_unbox_i64(slots[1]), c = ppy_unbox_i64(slots[2]);
    int64_t sum;
    if (!a.ok || !b.ok || !c.ok || __builtin_add_overflow(a.value, b.value, &sum)
        || __builtin_add_overflow(sum, c.value, &sum)) {
        return ppy_call_original(func, args, nargsf, kwnames);
    }
    return ppy_box_i64(sum);
}

/* ---- look(call): [call()] through a frame ---- */

static PyObject *
look_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    ppy_ctx *ctx = ppy_ctx_get();
    ppy_act act = {0};
    PyObject *list = PyList_New(1), *result;
    ppy_frame_enter(ctx, &act, &functions[F_LOOK], sample_lasti[F_LOOK]);
    result = PyObject_CallNoArgs(args[0]);
    if (result == NULL) {
        ppy_trace(ctx, &act, &functions[F_LOOK], sample_lasti[F_LOOK]);
        Py_CLEAR(list);
    }
    else {
        ppy_list_fill(list, 0, result);
    }
    ppy_act_clear(ctx, &act);
    return list;
}

/* ---- fail(x): 1 / x;  outer(x): fail(x), a direct call ---- */

static PyObject *
fail_fast(ppy_ctx *ctx, PyObject *x)
{
    ppy_act act = {0};
    PyObject *result = PyNumber_TrueDivide(consts[0], x);
    if (result == NULL) {
        ppy_trace(ctx, &act, &functions[F_FAIL], sample_lasti[F_FAIL]);
    }
    ppy_act_clear(ctx, &act);
    return result;
}

static PyObject *
fail_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    return fail_fast(ppy_ctx_get(), args[0]);
}

static PyObject *
outer_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    ppy_ctx *ctx = ppy_ctx_get();
    ppy_act act = {0};
    PyObject *result, *target = ppy_global_load(&unit, C_FAIL);
    if (target != NULL && ppy_is_bound(target, &functions[F_FAIL])) {
        result = fail_fast(ctx, args[0]);
    }
    else {
        ppy_frame_enter(ctx, &act, &functions[F_OUTER], sample_lasti[F_OUTER]);
        result = target == NULL ? NULL : PyObject_CallOneArg(target, args[0]);
    }
    if (result == NULL) {
        ppy_trace(ctx, &act, &functions[F_OUTER], sample_lasti[F_OUTER]);
    }
    Py_XDECREF(target);
    ppy_act_clear(ctx, &act);
    return result;
}

/* ---- make(n): a closure ---- */

static PyObject *
inner_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    if (!ppy_entry_valid(func, &functions[F_INNER]) || PyVectorcall_NARGS(nargsf) != 1 || kwnames != NULL) {
        return ppy_call_original(func, args, nargsf, kwnames);
    }
    PyObject *n = ppy_cell_load(ppy_func_cell(func, 0), consts[1], PPY_UNBOUND_FREE);
    PyObject *result = n == NULL ? NULL : PyNumber_Add(args[0], n);
    Py_XDECREF(n);
    if (result == NULL) {
        ppy_ctx *ctx = ppy_ctx_get();
        ppy_act act = {0};
        ppy_trace(ctx, &act, &functions[F_INNER], sample_lasti[F_INNER]);
        ppy_act_clear(ctx, &act);
    }
    return result;
}

static PyObject *
make_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *cell = PyCell_New(args[0]), *closure = PyTuple_Pack(1, cell);
    PyObject *result = ppy_make_function(&unit, F_INNER, NULL, NULL, NULL, closure);
    Py_DECREF(cell);
    Py_DECREF(closure);
    return result;
}

/* ---- bump(): counter += 1 ---- */

static PyObject *
bump_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *old = ppy_global_load(&unit, C_COUNTER);
    PyObject *sum = old == NULL ? NULL : PyNumber_Add(old, consts[0]);
    Py_XDECREF(old);
    if (sum == NULL || ppy_global_store(&unit, C_COUNTER, sum) < 0) {
        Py_XDECREF(sum);
        return NULL;
    }
    return sum;
}

/* ---- depth(n): 0 if n == 0 else 1 + depth(n - 1), natively, on as many stacks as it takes ---- */

typedef struct { ppy_ctx *ctx; int64_t n, result; int status; } depth_call;
static int depth_fast(ppy_ctx *ctx, int64_t n, int64_t *result);

static void
depth_tramp(void *p)
{
    depth_call *call = p;
    call->status = depth_fast(call->ctx, call->n, &call->result);
}

static __attribute__((noinline)) int
depth_fast(ppy_ctx *ctx, int64_t n, int64_t *result)
{
    if (ppy_stack_low(ctx)) {
        depth_call call = {ctx, n};
        if (ppy_call_on_new_stack(ctx, depth_tramp, &call) < 0) {
            return PPY_RAISED;
        }
        *result = call.result;
        return call.status;
    }
    int64_t below = 0;
    if (n != 0) {
        int status = depth_fast(ctx, n - 1, &below);
        if (status != PPY_OK) {
            return status;
        }
        below++;
    }
    *result = below;
    return PPY_OK;
}

static PyObject *
depth_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    int64_t result;
    return depth_fast(ppy_ctx_get(), ppy_unbox_i64(args[0]).value, &result) == PPY_OK ? ppy_box_i64(result) : NULL;
}

/* ---- spin(nogil): loops until a poll says that something ran ---- */

static PyObject *
spin_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    ppy_ctx *ctx = ppy_ctx_get();
    int nogil = args[0] == Py_True, answer = PPY_POLL_QUIET;
    volatile int64_t work = 0;
    while (answer == PPY_POLL_QUIET) {
        for (int i = 0; i < 65536; i++) {
            work++;
        }
        answer = nogil ? ppy_poll_nogil(ctx) : ppy_poll(ctx);
    }
    ppy_gil_take(ctx);
    return answer == PPY_POLL_RAISED ? NULL : PyLong_FromLong(answer);
}

/* ---- rest(a, /, *args, **kwargs) ---- */

static PyObject *
rest_entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *slots[3];
    if (ppy_bind_args(&functions[F_REST], func, args, nargsf, kwnames, slots) < 0) {
        return ppy_call_original(func, args, nargsf, kwnames);
    }
    PyObject *result = PyTuple_Pack(3, slots[0], slots[1], slots[2]);
    Py_DECREF(slots[1]);
    Py_DECREF(slots[2]);
    return result;
}

/* ---- the module ---- */

static const struct { vectorcallfunc entry; int nargs, flags, cell; } made[N_FUNCTIONS] = {
    [F_ADD] = {add_entry, 3, 0, C_ADD},       [F_LOOK] = {look_entry, 1, 0, C_LOOK},
    [F_FAIL] = {fail_entry, 1, 0, C_FAIL},    [F_OUTER] = {outer_entry, 1, 0, C_OUTER},
    [F_MAKE] = {make_entry, 1, 0, C_MAKE},    [F_INNER] = {inner_entry, 1, 0, -1},
    [F_BUMP] = {bump_entry, 0, 0, C_BUMP},    [F_DEPTH] = {depth_entry, 1, 0, C_DEPTH},
    [F_SPIN] = {spin_entry, 1, 0, C_SPIN},    [F_REST] = {rest_entry, 3, PPY_FN_VARARGS | PPY_FN_VARKEYWORDS, C_REST},
};

static PyObject *
body(ppy_ctx *ctx, ppy_unit *self, PyObject *dict)
{
    for (int i = F_ADD; i < N_FUNCTIONS; i++) {
        if (made[i].cell >= 0) {
            PyObject *defaults = i == F_ADD ? consts[2] : NULL, *kwdefaults = i == F_ADD ? PyDict_New() : NULL;
            if (kwdefaults != NULL) {
                PyDict_SetItem(kwdefaults, consts[3], consts[4]);
            }
            PyObject *func = ppy_make_function(self, i, defaults, kwdefaults, NULL, NULL);
            Py_XDECREF(kwdefaults);
            if (func == NULL || ppy_global_store(self, made[i].cell, func) < 0) {
                return NULL;
            }
            Py_DECREF(func);
        }
    }
    if (ppy_global_store(self, C_COUNTER, consts[4]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
ppy_unit_entry(PyObject *dict, PyObject *code, PyObject *name)
{
    return ppy_unit_exec(&unit, dict, code, name);
}

ppy_unit *
sample_prepare(const char *marshalled, int64_t size, int64_t nconsts, int64_t first_name)
{
    for (int i = 0; i < N_FUNCTIONS; i++) {
        functions[i] = (ppy_function){.entry = made[i].entry, .code_index = i, .nargs = made[i].nargs, .flags = made[i].flags};
    }
    for (int i = 0; i < N_CELLS; i++) {
        cells[i] = (ppy_cell){.name_const = first_name + i};
    }
    unit = (ppy_unit){.abi = PPY_SUPPORT_ABI, .python = PY_VERSION_HEX >> 16, .marshalled = marshalled,
                      .marshalled_size = size, .consts = consts, .nconsts = nconsts, .functions = functions,
                      .nfunctions = N_FUNCTIONS, .cells = cells, .ncells = N_CELLS, .body = body};
    return &unit;
}
