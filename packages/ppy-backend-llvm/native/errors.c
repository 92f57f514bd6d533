/* Raising, catching and putting back exceptions, with CPython's messages. */
#include "ppy_private.h"

/* NameError and its kin: the missing name goes into the exception for suggestions. */
void
ppy_name_error(PyObject *type, const char *format, PyObject *name)
{
    PyErr_Format(type, format, name);
    if (type != PyExc_NameError) {
        return;
    }
    PyObject *exc = ppy_fetch();
    PyNameErrorObject *error = (PyNameErrorObject *)exc;
    if (exc != NULL && PyErr_GivenExceptionMatches(exc, PyExc_NameError) && error->name == NULL) {
        error->name = Py_NewRef(name);
    }
    if (exc != NULL) {
        ppy_restore(exc);
    }
}

void
ppy_raise_unbound(int kind, PyObject *name)
{
    switch (kind) {
    case PPY_UNBOUND_LOCAL:
        ppy_name_error(PyExc_UnboundLocalError, "cannot access local variable '%U' where it is not associated with a value",
                       name);
        break;
    case PPY_UNBOUND_FREE:
        ppy_name_error(PyExc_NameError,
                       "cannot access free variable '%U' where it is not associated with a value in enclosing scope", name);
        break;
    default:
        ppy_name_error(PyExc_NameError, "name '%.200U' is not defined", name);
    }
}

void
ppy_raise_text(PyObject *type, const char *text)
{
    PyErr_SetString(type, text);
}

/* An exception class called, or an instance: new reference, or NULL with TypeError. */
static PyObject *
exception_instance(PyObject *exc, const char *otherwise)
{
    if (PyExceptionInstance_Check(exc)) {
        return Py_NewRef(exc);
    }
    if (!PyExceptionClass_Check(exc)) {
        PyErr_SetString(PyExc_TypeError, otherwise);
        return NULL;
    }
    return PyObject_CallNoArgs(exc);
}

/* TypeError, and value released, unless the call of an exception class made an exception. */
static PyObject *
must_be_exception(PyObject *value, PyObject *called)
{
    if (value != NULL && !PyExceptionInstance_Check(value)) {
        PyErr_Format(PyExc_TypeError, "calling %R should have returned an instance of BaseException, not %R", called,
                     Py_TYPE(value));
        Py_CLEAR(value);
    }
    return value;
}

void
ppy_raise(PyObject *exc, PyObject *cause)
{
    PyObject *value = must_be_exception(exception_instance(exc, "exceptions must derive from BaseException"), exc);
    if (value == NULL) {
        return;
    }
    if (cause != NULL) {
        PyObject *fixed = NULL;
        if (cause != Py_None) {
            fixed = exception_instance(cause, "exception causes must derive from BaseException");
            fixed = PPY_PY313 ? must_be_exception(fixed, cause) : fixed; /* earlier ones do not look */
            if (fixed == NULL) {
                Py_DECREF(value);
                return;
            }
        }
        PyException_SetCause(value, fixed);
    }
    PyErr_SetObject(PyExceptionClass_Check(exc) ? exc : (PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
}

int
ppy_reraise(ppy_ctx *ctx)
{
    _PyErr_StackItem *info = ctx->tstate->exc_info;
    while ((info->exc_value == NULL || info->exc_value == Py_None) && info->previous_item != NULL) {
        info = info->previous_item;
    }
    if (info->exc_value == NULL || info->exc_value == Py_None) {
        PyErr_SetString(PyExc_RuntimeError, "No active exception to reraise");
        return 1;
    }
    ppy_restore(Py_NewRef(info->exc_value));
    return 0;
}

PyObject *
ppy_fetch(void)
{
#if PPY_PY311
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value != NULL) {
        PyException_SetTraceback(value, traceback != NULL ? traceback : Py_None);
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
#else
    return PyErr_GetRaisedException();
#endif
}

void
ppy_restore(PyObject *exc)
{
#if PPY_PY311
    PyErr_Restore(Py_NewRef(Py_TYPE(exc)), exc, PyException_GetTraceback(exc));
#else
    PyErr_SetRaisedException(exc);
#endif
}

/* Takes the outermost traceback entry off the exception that is set: that of code of our own that was run. */
void
ppy_drop_outer_entry(void)
{
    PyObject *exc = ppy_fetch();
    PyObject *traceback = PyException_GetTraceback(exc);
    if (traceback != NULL) {
        PyObject *next = (PyObject *)((PyTracebackObject *)traceback)->tb_next;
        PyException_SetTraceback(exc, next != NULL ? next : Py_None);
        Py_DECREF(traceback);
    }
    ppy_restore(exc);
}

int
check_catchable(PyObject *type)
{
    Py_ssize_t count = PyTuple_Check(type) ? PyTuple_GET_SIZE(type) : 1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_Check(type) ? PyTuple_GET_ITEM(type, i) : type;
        if (!PyExceptionClass_Check(item)) {
            PyErr_SetString(PyExc_TypeError,
                            "catching classes that do not inherit from BaseException is not allowed");
            return -1;
        }
    }
    return 0;
}

int
ppy_exc_match(PyObject *exc, PyObject *type)
{
    return check_catchable(type) < 0 ? -1 : PyErr_GivenExceptionMatches(exc, type);
}

PyObject *
ppy_assertion_error(void)
{
    return Py_NewRef(PyExc_AssertionError);
}

PyObject *
ppy_builtin_type_call(PyObject *type, PyObject *a, PyObject *b)
{
    return PyObject_CallFunctionObjArgs(type, a, b, NULL);
}
