/* except*: splitting exception groups, and what is raised at the end of the statement. */
#include "ppy_private.h"

static PyObject *
group_of(PyObject *excs)
{
    PyObject *message = PyUnicode_New(0, 0);
    PyObject *group = message == NULL ? NULL : ppy_builtin_type_call(PyExc_BaseExceptionGroup, message, excs);
    Py_XDECREF(message);
    return group;
}

static int
is_group(PyObject *exc)
{
    return PyObject_TypeCheck(exc, (PyTypeObject *)PyExc_BaseExceptionGroup);
}

static int
check_star_catchable(PyObject *type)
{
    if (check_catchable(type) < 0) {
        return -1;
    }
    Py_ssize_t count = PyTuple_Check(type) ? PyTuple_GET_SIZE(type) : 1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_Check(type) ? PyTuple_GET_ITEM(type, i) : type;
        int group = PyObject_IsSubclass(item, PyExc_BaseExceptionGroup);
        if (group != 0) {
            if (group > 0) {
                PyErr_SetString(PyExc_TypeError,
                                "catching ExceptionGroup with except* is not allowed. Use except instead.");
            }
            return -1;
        }
    }
    return 0;
}

int
ppy_exc_group_match(PyObject *exc, PyObject *type, PyObject **match, PyObject **rest)
{
    if (check_star_catchable(type) < 0) {
        return -1;
    }
    *match = NULL;
    *rest = NULL;
    if (exc != Py_None && PyErr_GivenExceptionMatches(exc, type)) {
        if (is_group(exc)) {
            *match = Py_NewRef(exc);
        }
        else {
            PyObject *excs = PyTuple_Pack(1, exc);
            *match = excs == NULL ? NULL : group_of(excs);
            Py_XDECREF(excs);
        }
        *rest = Py_NewRef(Py_None);
        return *match == NULL ? -1 : 0;
    }
    if (exc == Py_None || !is_group(exc)) {
        *match = Py_NewRef(Py_None);
        *rest = Py_NewRef(exc);
        return 0;
    }
    PyObject *pair = PyObject_CallMethod(exc, "split", "(O)", type);
    if (pair == NULL) {
        return -1;
    }
    if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) < 2) {
        PyErr_Format(PyExc_TypeError, "%.200s.split must return a 2-tuple", Py_TYPE(exc)->tp_name);
        Py_DECREF(pair);
        return -1;
    }
    *match = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    *rest = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
    Py_DECREF(pair);
    return 0;
}

/* An exception that left an except* clause unchanged has all these in common with the original one. */
static int
same_origin(PyObject *a, PyObject *b)
{
    PyBaseExceptionObject *x = (PyBaseExceptionObject *)a, *y = (PyBaseExceptionObject *)b;
    return is_group(a) && is_group(b) && x->notes == y->notes && x->traceback == y->traceback && x->cause == y->cause
        && x->context == y->context;
}

static PyObject *
is_kept_leaf(PyObject *ids, PyObject *exc)
{
    if (is_group(exc)) {
        Py_RETURN_FALSE;
    }
    PyObject *id = PyLong_FromVoidPtr(exc);
    int found = id == NULL ? -1 : PySet_Contains(ids, id);
    Py_XDECREF(id);
    return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyMethodDef kept_leaf_method = {"keep", is_kept_leaf, METH_O, NULL};

static int
add_leaf_ids(PyObject *exc, PyObject *ids)
{
    if (!is_group(exc)) {
        PyObject *id = PyLong_FromVoidPtr(exc);
        int status = id == NULL ? -1 : PySet_Add(ids, id);
        Py_XDECREF(id);
        return status;
    }
    PyObject *excs = ((PyBaseExceptionGroupObject *)exc)->excs;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(excs); i++) {
        if (add_leaf_ids(PyTuple_GET_ITEM(excs, i), ids) < 0) {
            return -1;
        }
    }
    return 0;
}

/* `split` takes a class or a Python function; only from 3.13 on any callable. */
static PyObject *
as_python_function(PyObject *callable)
{
    PyObject *globals = PyDict_New(), *make = NULL, *made = NULL;
    if (globals != NULL) {
        make = PyRun_String("lambda keep: lambda exc: keep(exc)", Py_eval_input, globals, globals);
    }
    if (make != NULL) {
        made = PyObject_CallOneArg(make, callable);
    }
    Py_XDECREF(make);
    Py_XDECREF(globals);
    return made;
}

/* The part of the original group whose leaves are among those of `kept`, or None. */
static PyObject *
projection(PyObject *orig, PyObject *kept)
{
    PyObject *result = NULL, *keep = NULL, *pair = NULL, *ids = PySet_New(NULL);
    if (ids == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(kept); i++) {
        if (add_leaf_ids(PyList_GET_ITEM(kept, i), ids) < 0) {
            goto done;
        }
    }
    PyObject *method = PyCFunction_New(&kept_leaf_method, ids);
    keep = method == NULL ? NULL : as_python_function(method);
    Py_XDECREF(method);
    PyObject *split = PyObject_GetAttrString(PyExc_BaseExceptionGroup, "split");
    pair = keep == NULL || split == NULL ? NULL : ppy_builtin_type_call(split, orig, keep);
    Py_XDECREF(split);
    result = pair == NULL ? NULL : Py_NewRef(PyTuple_GET_ITEM(pair, 0));
done:
    Py_XDECREF(pair);
    Py_XDECREF(keep);
    Py_DECREF(ids);
    return result;
}

PyObject *
ppy_prep_reraise_star(PyObject *orig, PyObject *excs)
{
    Py_ssize_t count = PyList_GET_SIZE(excs);
    if (count == 0) {
        return Py_NewRef(Py_None);
    }
    if (!is_group(orig)) { /* it was wrapped for the one clause that took it */
        return Py_NewRef(PyList_GET_ITEM(excs, 0));
    }
    PyObject *result = NULL, *rest = NULL, *raised = PyList_New(0), *unhandled = PyList_New(0);
    for (Py_ssize_t i = 0; raised != NULL && unhandled != NULL && i < count; i++) {
        PyObject *exc = PyList_GET_ITEM(excs, i);
        if (exc != Py_None && PyList_Append(same_origin(exc, orig) ? unhandled : raised, exc) < 0) {
            goto done;
        }
    }
    rest = raised == NULL || unhandled == NULL ? NULL : projection(orig, unhandled);
    if (rest == NULL) {
        goto done;
    }
    if (PyList_GET_SIZE(raised) == 0) {
        result = Py_NewRef(rest);
    }
    else if (rest == Py_None || PyList_Append(raised, rest) == 0) {
        result = PyList_GET_SIZE(raised) > 1 ? group_of(raised) : Py_NewRef(PyList_GET_ITEM(raised, 0));
    }
done:
    Py_XDECREF(rest);
    Py_XDECREF(raised);
    Py_XDECREF(unhandled);
    return result;
}
