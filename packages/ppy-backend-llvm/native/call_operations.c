/* Calls with stars, methods, super() and with statements. */
#include "ppy_private.h"

PyObject *
ppy_function_text(PyObject *func)
{
    return _PyObject_FunctionStr(func);
}

PyObject *
ppy_call_ex(PyObject *func, PyObject *args, PyObject *kwargs)
{
    PyObject *tuple = Py_NewRef(args), *dict = NULL, *result = NULL;
    if (kwargs != NULL && !PyDict_CheckExact(kwargs)) {
        dict = PyDict_New();
        if (dict == NULL || ppy_dict_merge(dict, kwargs, func) < 0) {
            goto done;
        }
    }
    if (!PyTuple_CheckExact(args)) {
        if (Py_TYPE(args)->tp_iter == NULL && !PySequence_Check(args)) {
            PyObject *text = ppy_function_text(func);
            if (text != NULL) {
                PyErr_Format(PyExc_TypeError, "%U argument after * must be an iterable, not %.200s", text,
                             Py_TYPE(args)->tp_name);
                Py_DECREF(text);
            }
            goto done;
        }
        Py_SETREF(tuple, PySequence_Tuple(args));
    }
    result = tuple == NULL ? NULL : PyObject_Call(func, tuple, dict != NULL ? dict : kwargs);
done:
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return result;
}

PyObject *
ppy_super(PyObject *class_cell, PyObject *self)
{
    PyObject *type = PyCell_GET(class_cell);
    if (type == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "super(): empty __class__ cell");
        return NULL;
    }
    return ppy_builtin_type_call((PyObject *)&PySuper_Type, type, self);
}

PyObject *
ppy_with_enter(PyObject *manager, PyObject **exit)
{
    static PyObject *enter_name, *exit_name;
    *exit = NULL;
    if ((enter_name == NULL && (enter_name = PyUnicode_InternFromString("__enter__")) == NULL)
        || (exit_name == NULL && (exit_name = PyUnicode_InternFromString("__exit__")) == NULL)) {
        return NULL;
    }
    PyObject *enter = _PyObject_LookupSpecial(manager, enter_name);
    if (enter == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "'%.200s' object does not support the context manager protocol",
                         Py_TYPE(manager)->tp_name);
        }
        return NULL;
    }
    *exit = _PyObject_LookupSpecial(manager, exit_name);
    if (*exit == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError,
                         "'%.200s' object does not support the context manager protocol (missed __exit__ method)",
                         Py_TYPE(manager)->tp_name);
        }
        Py_DECREF(enter);
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(enter);
    Py_DECREF(enter);
    if (result == NULL) {
        Py_CLEAR(*exit);
    }
    return result;
}

PyObject *
ppy_with_exit(PyObject *exit, PyObject *exc)
{
    PyObject *traceback = exc == Py_None ? NULL : PyException_GetTraceback(exc);
    PyObject *type = exc == Py_None ? Py_None : (PyObject *)Py_TYPE(exc);
    PyObject *args[4] = {NULL, type, exc, traceback != NULL ? traceback : Py_None};
    PyObject *result = PyObject_Vectorcall(exit, args + 1, 3 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_XDECREF(traceback);
    return result;
}
