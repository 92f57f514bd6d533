/* What differs between the supported Pythons, in one place: private headers and the spelling of fields.
 * Included first by every source; nothing else in the library tests the version for a layout. */
#ifndef PPY_INTERNAL_H
#define PPY_INTERNAL_H

#define PY_SSIZE_T_CLEAN
#define Py_BUILD_CORE 1
#include <Python.h>
#include <internal/pycore_ceval.h>
#include <internal/pycore_dict.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_long.h>
#include <internal/pycore_object.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_runtime.h>
#include <internal/pycore_code.h>
#if PY_VERSION_HEX >= 0x030D0000
#include <internal/pycore_setobject.h>
#endif
#undef Py_BUILD_CORE

#define PPY_PY311 (PY_VERSION_HEX < 0x030C0000)
#define PPY_PY312 (PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030D0000)
#define PPY_PY313 (PY_VERSION_HEX >= 0x030D0000)

#define PPY_LIKELY(x) __builtin_expect(!!(x), 1)
#define PPY_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The thread's current interpreter frame. */
static inline struct _PyInterpreterFrame **
ppy_current_frame(PyThreadState *tstate)
{
#if PPY_PY313
    return &tstate->current_frame;
#else
    return &tstate->cframe->current_frame;
#endif
}

/* What is left of the thread's recursion limit, and the limit. */
static inline int *
ppy_levels_left(PyThreadState *tstate)
{
#if PPY_PY311
    return &tstate->recursion_remaining;
#else
    return &tstate->py_recursion_remaining;
#endif
}

static inline int
ppy_levels_limit(PyThreadState *tstate)
{
#if PPY_PY311
    return tstate->recursion_limit;
#else
    return tstate->py_recursion_limit;
#endif
}

static inline PyCodeObject *
ppy_frame_code(struct _PyInterpreterFrame *frame)
{
#if PPY_PY313
    return (PyCodeObject *)frame->f_executable;
#else
    return frame->f_code;
#endif
}

/* The code unit whose position is the frame's f_lasti. */
static inline void
ppy_set_lasti(struct _PyInterpreterFrame *frame, int64_t lasti)
{
    _Py_CODEUNIT *at = (_Py_CODEUNIT *)((char *)_PyCode_CODE(ppy_frame_code(frame)) + lasti);
#if PPY_PY313
    frame->instr_ptr = at;
#else
    frame->prev_instr = at;
#endif
}

/* Number of 30-bit digits, and the sign (-1, 0, 1), of an int. */
static inline int64_t
ppy_long_ndigits(PyObject *o)
{
#if PPY_PY311
    Py_ssize_t size = Py_SIZE(o);
    return size < 0 ? -size : size;
#else
    return (int64_t)(((PyLongObject *)o)->long_value.lv_tag >> _PyLong_NON_SIZE_BITS);
#endif
}

static inline int
ppy_long_negative(PyObject *o)
{
#if PPY_PY311
    return Py_SIZE(o) < 0;
#else
    return (((PyLongObject *)o)->long_value.lv_tag & _PyLong_SIGN_MASK) == 2;
#endif
}

static inline const digit *
ppy_long_digits(PyObject *o)
{
#if PPY_PY311
    return ((PyLongObject *)o)->ob_digit;
#else
    return ((PyLongObject *)o)->long_value.ob_digit;
#endif
}

#if !PPY_PY313
#define PPY_UNCHECKED_TSTATE() _PyThreadState_UncheckedGet()
#else
#define PPY_UNCHECKED_TSTATE() PyThreadState_GetUnchecked()
#endif

/* The context found last, and where the interpreter keeps the thread state that holds the GIL: thread-local storage is
 * slower to ask.  Until ppy_support_check has found that place to hold what it should, nothing matches. */
typedef struct { struct ppy_ctx *ctx; PyThreadState *const volatile *holder; } ppy_current_context;
extern ppy_current_context ppy_current;

/* The type of a function object whose calls reach our entries: 3.11 needs a subtype (see functions.c). */
#if PPY_PY311
extern PyTypeObject ppy_function_type;
#else
#define ppy_function_type PyFunction_Type
#endif

#endif
