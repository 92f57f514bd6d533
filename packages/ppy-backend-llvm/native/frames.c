/* Activations that become visible: genuine interpreter frames for native functions, and traceback entries. */
#include "ppy_private.h"
#include <stdlib.h>

enum { ON_DATASTACK = 1, ON_HEAP = 2 };

static struct _PyInterpreterFrame *
allocate_frame(PyThreadState *tstate, int64_t slots, uintptr_t *where)
{
    PyObject **top = tstate->datastack_top;
    if (PPY_LIKELY(top != NULL && slots < tstate->datastack_limit - top)) {
        tstate->datastack_top = top + slots;
        *where = ON_DATASTACK;
        return (struct _PyInterpreterFrame *)top;
    }
    *where = ON_HEAP;
    return malloc((size_t)slots * sizeof(PyObject *));
}

static void
release_frame(PyThreadState *tstate, struct _PyInterpreterFrame *frame, uintptr_t where)
{
    if (where == ON_DATASTACK) {
        tstate->datastack_top = (PyObject **)frame;
    }
    else {
        free(frame);
    }
}

/* The offset itself, or that of the first traceable instruction: an earlier one would make the frame count as incomplete,
 * and the interpreter would look past it. */
static int64_t
visible_offset(PyCodeObject *code, int64_t lasti)
{
    int64_t first = (int64_t)code->_co_firsttraceable * (int64_t)sizeof(_Py_CODEUNIT);
    return lasti < first ? first : lasti;
}

void
ppy_frame_link(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti)
{
    PyThreadState *tstate = ctx->tstate;
    PyCodeObject *code = fn->code;
    PyFunctionObject *func = (PyFunctionObject *)fn->frame_func;
    int64_t locals = code->co_nlocalsplus;
    struct _PyInterpreterFrame **current = ppy_current_frame(tstate);
    struct _PyInterpreterFrame *frame = allocate_frame(tstate, locals + FRAME_SPECIALS_SIZE, &act->where);
    if (frame == NULL) {
        return; /* no memory for it: the activation stays invisible */
    }
    Py_INCREF(func);
#if PPY_PY311
    frame->f_func = func;
    frame->f_code = code;
    frame->is_entry = true;
#else
    frame->f_funcobj = (PyObject *)func;
    frame->return_offset = 0;
#endif
#if PPY_PY312
    frame->f_code = code;
#elif PPY_PY313
    frame->f_executable = (PyObject *)code;
#endif
    frame->f_globals = func->func_globals;
    frame->f_builtins = func->func_builtins;
    frame->f_locals = fn->code_index == 0 ? Py_NewRef(func->func_globals) : NULL;
    frame->frame_obj = NULL;
    frame->stacktop = (int)locals;
    frame->owner = FRAME_OWNED_BY_THREAD;
    int64_t own = locals - code->co_nfreevars;
    for (int64_t i = 0; i < locals; i++) { /* the interpreter takes for granted that free variables have cells */
        frame->localsplus[i] = i < own ? NULL : Py_NewRef(ppy_empty_cell);
    }
    ppy_set_lasti(frame, visible_offset(code, lasti));
    frame->previous = *current;
    *current = frame;
    act->frame = frame;
}

/* Moves the frame's data into the frame object, which outlives the activation (as CPython's take_ownership does). */
static void
give_to_object(struct _PyInterpreterFrame *frame, PyFrameObject *object)
{
    PyFrameObject *back = PyFrame_GetBack(object);
    size_t size = (size_t)((char *)&frame->localsplus[frame->stacktop] - (char *)frame);
    struct _PyInterpreterFrame *own = (struct _PyInterpreterFrame *)object->_f_frame_data;
    memcpy(own, frame, size);
    Py_INCREF(ppy_frame_code(frame));
    own->owner = FRAME_OWNED_BY_FRAME_OBJECT;
    own->previous = NULL;
    own->frame_obj = NULL;
    object->f_frame = own;
    object->f_back = back;
    if (!PyObject_GC_IsTracked((PyObject *)object)) {
        PyObject_GC_Track(object);
    }
}

void
ppy_frame_unlink(ppy_ctx *ctx, ppy_act *act)
{
    struct _PyInterpreterFrame *frame = act->frame;
    PyFrameObject *object = frame->frame_obj;
#if PPY_PY311
    PyObject *func = (PyObject *)frame->f_func;
#else
    PyObject *func = frame->f_funcobj;
#endif
    act->frame = NULL;
    if (PPY_UNLIKELY(object != NULL)) {
        frame->frame_obj = NULL;
        if (Py_REFCNT(object) > 1) {
            give_to_object(frame, object);
            *ppy_current_frame(ctx->tstate) = frame->previous;
            release_frame(ctx->tstate, frame, act->where);
            Py_DECREF(object);
            return;
        }
    }
    for (int i = 0; (object != NULL || ppy_frame_code(frame)->co_nfreevars != 0) && i < frame->stacktop; i++) {
        Py_XDECREF(frame->localsplus[i]); /* cells, and what was written through f_locals */
    }
    PyObject *locals = frame->f_locals;
    *ppy_current_frame(ctx->tstate) = frame->previous;
    Py_XDECREF(object); /* reads the frame a last time */
    release_frame(ctx->tstate, frame, act->where);
    Py_XDECREF(locals);
    Py_DECREF(func);
}

/* A native callee that was called directly, before this activation was visible, took this one's caller for its own. */
static void
adopt_callee(PyThreadState *tstate, PyFrameObject *object)
{
#if PPY_PY311
    PyTracebackObject *traceback = (PyTracebackObject *)tstate->curexc_traceback;
#else
    PyObject *exc = tstate->current_exception;
    PyTracebackObject *traceback = exc == NULL ? NULL : (PyTracebackObject *)((PyBaseExceptionObject *)exc)->traceback;
#endif
    PyFrameObject *callee = traceback == NULL ? NULL : traceback->tb_frame;
    if (callee == NULL || callee == object || callee->f_back == NULL) {
        return;
    }
    PyFrameObject *back = PyFrame_GetBack(object);
    if (callee->f_back == back) {
        Py_SETREF(callee->f_back, (PyFrameObject *)Py_NewRef(object));
    }
    Py_XDECREF(back);
}

void
ppy_trace(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti)
{
    ppy_frame_enter(ctx, act, fn, visible_offset(fn->code, lasti));
    if (act->frame == NULL) {
        return;
    }
    PyFrameObject *object = PyThreadState_GetFrame(ctx->tstate);
    if (object != NULL) {
        adopt_callee(ctx->tstate, object);
        PyTraceBack_Here(object);
        Py_DECREF(object);
    }
}
