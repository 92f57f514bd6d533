/* match statements: mapping keys and class patterns. */
#include "ppy_private.h"

PyObject *
ppy_match_keys(PyObject *mapping, PyObject *keys)
{
    Py_ssize_t count = PyTuple_GET_SIZE(keys);
    PyObject *seen = NULL, *dummy = NULL, *values = NULL, *result = NULL;
    PyObject *get = PyObject_GetAttrString(mapping, "get");
    if (get == NULL || (seen = PySet_New(NULL)) == NULL || (values = PyTuple_New(count)) == NULL
        || (dummy = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type)) == NULL) {
        goto done;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *key = PyTuple_GET_ITEM(keys, i);
        int known = PySet_Contains(seen, key);
        if (known != 0 || PySet_Add(seen, key) < 0) {
            if (known > 0) {
                PyErr_Format(PyExc_ValueError, "mapping pattern checks duplicate key (%R)", key);
            }
            goto done;
        }
        PyObject *value = ppy_builtin_type_call(get, key, dummy);
        if (value == NULL) {
            goto done;
        }
        if (value == dummy) {
            Py_DECREF(value);
            result = Py_NewRef(Py_None);
            goto done;
        }
        PyTuple_SET_ITEM(values, i, value);
    }
    result = Py_NewRef(values);
done:
    Py_XDECREF(get);
    Py_XDECREF(seen);
    Py_XDECREF(values);
    Py_XDECREF(dummy);
    return result;
}

/* One attribute of the subject: NULL without exception when it is missing. */
static PyObject *
match_attribute(PyObject *subject, PyObject *type, PyObject *name, PyObject *seen)
{
    int known = PySet_Contains(seen, name);
    if (known != 0 || PySet_Add(seen, name) < 0) {
        if (known > 0) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple sub-patterns for attribute %R", ((PyTypeObject *)type)->tp_name,
                         name);
        }
        return NULL;
    }
    PyObject *value = PyObject_GetAttr(subject, name);
    if (value == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
    }
    return value;
}

/* __match_args__ of the type, or an empty tuple with *self set when the subject itself is the one sub-pattern. */
static PyObject *
match_args(PyObject *type, int *self)
{
    PyObject *names = PyObject_GetAttrString(type, "__match_args__");
    *self = 0;
    if (names != NULL) {
        if (!PyTuple_CheckExact(names)) {
            PyErr_Format(PyExc_TypeError, "%s.__match_args__ must be a tuple (got %s)", ((PyTypeObject *)type)->tp_name,
                         Py_TYPE(names)->tp_name);
            Py_CLEAR(names);
        }
        return names;
    }
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return NULL;
    }
    PyErr_Clear();
    *self = PyType_HasFeature((PyTypeObject *)type, _Py_TPFLAGS_MATCH_SELF);
    return PyTuple_New(0);
}

/* Appends the positional attributes: 1 done, 0 no match, -1 exception. */
static int
match_positional(PyObject *subject, PyObject *type, int64_t count, PyObject *seen, PyObject *values)
{
    int self, status = -1;
    PyObject *names = match_args(type, &self);
    if (names == NULL) {
        return -1;
    }
    int64_t allowed = self ? 1 : PyTuple_GET_SIZE(names);
    if (allowed < count) {
        PyErr_Format(PyExc_TypeError, "%s() accepts %d positional sub-pattern%s (%d given)", ((PyTypeObject *)type)->tp_name,
                     (int)allowed, allowed == 1 ? "" : "s", (int)count);
        goto done;
    }
    if (self) {
        status = PyList_Append(values, subject) < 0 ? -1 : 1;
        goto done;
    }
    for (int64_t i = 0; i < count; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (!PyUnicode_CheckExact(name)) {
            PyErr_Format(PyExc_TypeError, "__match_args__ elements must be strings (got %s)", Py_TYPE(name)->tp_name);
            goto done;
        }
        PyObject *value = match_attribute(subject, type, name, seen);
        if (value == NULL) {
            status = PyErr_Occurred() ? -1 : 0;
            goto done;
        }
        int appended = PyList_Append(values, value);
        Py_DECREF(value);
        if (appended < 0) {
            goto done;
        }
    }
    status = 1;
done:
    Py_DECREF(names);
    return status;
}

PyObject *
ppy_match_class(PyObject *subject, PyObject *type, int64_t positional, PyObject *kwnames)
{
    if (!PyType_Check(type)) {
        PyErr_SetString(PyExc_TypeError,
                        PPY_PY311 ? "called match pattern must be a type" : "called match pattern must be a class");
        return NULL;
    }
    int matched = PyObject_IsInstance(subject, type);
    PyObject *result = NULL, *seen = matched > 0 ? PySet_New(NULL) : NULL, *values = seen != NULL ? PyList_New(0) : NULL;
    if (values != NULL && positional > 0) {
        matched = match_positional(subject, type, positional, seen, values);
    }
    else if (matched > 0 && values == NULL) {
        matched = -1;
    }
    for (Py_ssize_t i = 0; matched > 0 && i < PyTuple_GET_SIZE(kwnames); i++) {
        PyObject *value = match_attribute(subject, type, PyTuple_GET_ITEM(kwnames, i), seen);
        matched = value != NULL ? (PyList_Append(values, value) < 0 ? -1 : 1) : (PyErr_Occurred() ? -1 : 0);
        Py_XDECREF(value);
    }
    if (matched >= 0) {
        result = matched ? PyList_AsTuple(values) : Py_NewRef(Py_None);
    }
    Py_XDECREF(seen);
    Py_XDECREF(values);
    return result;
}
