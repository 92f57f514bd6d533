/* The recursion limit and native code, and calls that hide what is below them.
 *
 * Native calls do not count: they end with the stack, which is deeper than the interpreter goes under its default limit.  A
 * limit below that is there to bound something (a test of what happens near it, code that recurses exponentially), so then
 * every native call that checks the stack takes the slow road, which counts levels as the interpreter does. */
#include "ppy_private.h"

#define LEVELS_TO_END 100 /* what the caller of a program has left, whatever limit the program set for itself */

int
ppy_call_counted(ppy_ctx *ctx, void (*tramp)(void *), void *arg)
{
    int *left = ppy_levels_left(ctx->tstate);
    if (*left <= 0) {
        ppy_recursion_error();
        return -1;
    }
    --*left;
    tramp(arg);
    ++*left;
    return 0;
}

static PyCFunction original_set_limit;

static PyObject *
set_limit(PyObject *module, PyObject *limit)
{
    PyObject *result = original_set_limit(module, limit);
    if (result != NULL) {
        ppy_count_levels(Py_GetRecursionLimit() < Py_DEFAULT_RECURSION_LIMIT);
    }
    return result;
}

/* sys.setrecursionlimit stays the object it is; what it does is followed by what we do.  Where a program has put something
 * else in its place, limits are not noticed. */
void
ppy_watch_limit(void)
{
    PyObject *function = PySys_GetObject("setrecursionlimit");
    PyMethodDef *method = function != NULL && PyCFunction_CheckExact(function) ? ((PyCFunctionObject *)function)->m_ml : NULL;
    if (method != NULL && method->ml_flags == METH_O && strcmp(method->ml_name, "setrecursionlimit") == 0) {
        original_set_limit = method->ml_meth;
        method->ml_meth = set_limit;
    }
    ppy_count_levels(Py_GetRecursionLimit() < Py_DEFAULT_RECURSION_LIMIT);
}

PyObject *
ppy_call_alone(PyObject *callable, PyObject *arguments)
{
    PyThreadState *tstate = PyThreadState_Get();
    struct _PyInterpreterFrame *below = *ppy_current_frame(tstate);
    int used = ppy_levels_limit(tstate) - *ppy_levels_left(tstate);
    *ppy_current_frame(tstate) = NULL;
    *ppy_levels_left(tstate) += used;
    PyObject *result = PyObject_CallObject(callable, arguments);
    *ppy_levels_left(tstate) -= used;
    if (*ppy_levels_left(tstate) < LEVELS_TO_END) {
        *ppy_levels_left(tstate) = LEVELS_TO_END;
    }
    *ppy_current_frame(tstate) = below;
    return result;
}
