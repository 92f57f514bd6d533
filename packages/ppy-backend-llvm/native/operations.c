/* Python operations that have no single C-API function, with CPython's exact messages. */
#include "ppy_private.h"

PyObject *
ppy_add_last(PyObject *a, PyObject *b, int inplace)
{
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) {
        PyUnicode_Append(&a, b);
        return a;
    }
    PyObject *sum = inplace ? PyNumber_InPlaceAdd(a, b) : PyNumber_Add(a, b);
    Py_DECREF(a);
    return sum;
}

/* ---- iteration and unpacking ---- */

int
ppy_iter_end(void)
{
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_StopIteration)) {
            return -1;
        }
        PyErr_Clear();
    }
    return 0;
}

static void
drop(PyObject **items, int64_t count)
{
    while (count > 0) {
        Py_DECREF(items[--count]);
    }
}

static PyObject *
iterator_to_unpack(PyObject *value)
{
    PyObject *iterator = PyObject_GetIter(value);
    if (iterator == NULL && PyErr_ExceptionMatches(PyExc_TypeError) && Py_TYPE(value)->tp_iter == NULL
        && !PySequence_Check(value)) {
        PyErr_Format(PyExc_TypeError, "cannot unpack non-iterable %.200s object", Py_TYPE(value)->tp_name);
    }
    return iterator;
}

/* Takes `count` items; on failure nothing stays owned.  after < 0: no starred target. */
static int
take_items(PyObject *iterator, int64_t count, int64_t after, PyObject **out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = PyIter_Next(iterator);
        if (out[i] == NULL) {
            if (!PyErr_Occurred()) {
                if (after < 0) {
                    PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected %d, got %d)", (int)count, (int)i);
                }
                else {
                    PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected at least %d, got %d)",
                                 (int)(count + after), (int)i);
                }
            }
            drop(out, i);
            return -1;
        }
    }
    return 0;
}

int
ppy_unpack_sequence(PyObject *value, int64_t count, PyObject **out)
{
    int tuple = PyTuple_CheckExact(value);
    if ((tuple || PyList_CheckExact(value)) && Py_SIZE(value) == count) {
        PyObject **items = tuple ? ((PyTupleObject *)value)->ob_item : ((PyListObject *)value)->ob_item;
        for (int64_t i = 0; i < count; i++) {
            out[i] = Py_NewRef(items[i]);
        }
        return 0;
    }
    PyObject *iterator = iterator_to_unpack(value);
    if (iterator == NULL) {
        return -1;
    }
    int status = take_items(iterator, count, -1, out);
    PyObject *more = status < 0 ? NULL : PyIter_Next(iterator);
    Py_DECREF(iterator);
    if (status == 0 && (more != NULL || PyErr_Occurred())) {
        if (more != NULL) {
            Py_DECREF(more);
            PyErr_Format(PyExc_ValueError, "too many values to unpack (expected %d)", (int)count);
        }
        drop(out, count);
        return -1;
    }
    return status;
}

int
ppy_unpack_ex(PyObject *value, int64_t before, int64_t after, PyObject **out)
{
    PyObject *iterator = iterator_to_unpack(value);
    if (iterator == NULL) {
        return -1;
    }
    if (take_items(iterator, before, after, out) < 0) {
        Py_DECREF(iterator);
        return -1;
    }
    PyObject *list = PySequence_List(iterator);
    Py_DECREF(iterator);
    Py_ssize_t size = list == NULL ? 0 : PyList_GET_SIZE(list);
    if (list == NULL || size < after) {
        if (list != NULL) {
            PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected at least %zd, got %zd)", before + after,
                         before + size);
            Py_DECREF(list);
        }
        drop(out, before);
        return -1;
    }
    out[before] = list;
    for (int64_t i = 0; i < after; i++) { /* moved out of the end of the list */
        out[before + 1 + i] = PyList_GET_ITEM(list, size - after + i);
    }
    Py_SET_SIZE(list, size - after);
    return 0;
}

/* ---- displays ---- */

int
ppy_list_extend(PyObject *list, PyObject *iterable)
{
    PyObject *none = _PyList_Extend((PyListObject *)list, iterable);
    if (none != NULL) {
        Py_DECREF(none);
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_TypeError) && Py_TYPE(iterable)->tp_iter == NULL && !PySequence_Check(iterable)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "Value after * must be an iterable, not %.200s", Py_TYPE(iterable)->tp_name);
    }
    return -1;
}

int
ppy_set_update(PyObject *set, PyObject *iterable)
{
    return _PySet_Update(set, iterable);
}

int
ppy_dict_update(PyObject *dict, PyObject *mapping)
{
    int status = PyDict_Update(dict, mapping);
    if (status < 0 && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not a mapping", Py_TYPE(mapping)->tp_name);
    }
    return status;
}

int
ppy_dict_merge(PyObject *dict, PyObject *mapping, PyObject *func)
{
    if (_PyDict_MergeEx(dict, mapping, 2) == 0) {
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        PyObject *text = ppy_function_text(func);
        if (text != NULL) {
            PyErr_Format(PyExc_TypeError, "%U argument after ** must be a mapping, not %.200s", text,
                         Py_TYPE(mapping)->tp_name);
            Py_DECREF(text);
        }
    }
    else if (PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyObject *exc = ppy_fetch();
        PyObject *args = ((PyBaseExceptionObject *)exc)->args;
        if (!PyTuple_Check(args) || PyTuple_GET_SIZE(args) != 1) {
            ppy_restore(exc);
            return -1;
        }
        PyObject *key = PyTuple_GET_ITEM(args, 0);
        PyObject *text = PyUnicode_Check(key) ? ppy_function_text(func) : NULL;
        if (text != NULL) {
            PyErr_Format(PyExc_TypeError, "%U got multiple values for keyword argument '%S'", text, key);
            Py_DECREF(text);
        }
        else if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
        }
        Py_DECREF(exc);
    }
    return -1;
}

PyObject *
ppy_make_list(PyObject **items, int64_t count)
{
    PyObject *list = PyList_New(count);
    for (int64_t i = 0; list != NULL && i < count; i++) {
        PyList_SET_ITEM(list, i, Py_NewRef(items[i]));
    }
    return list;
}

PyObject *
ppy_make_tuple(PyObject **items, int64_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int64_t i = 0; tuple != NULL && i < count; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(items[i]));
    }
    return tuple;
}

PyObject *
ppy_make_set(PyObject **items, int64_t count)
{
    PyObject *set = PySet_New(NULL);
    for (int64_t i = 0; set != NULL && i < count; i++) {
        if (PySet_Add(set, items[i]) < 0) {
            Py_CLEAR(set);
        }
    }
    return set;
}

PyObject *
ppy_make_dict(PyObject **keys_and_values, int64_t pairs)
{
    PyObject *dict = PyDict_New();
    for (int64_t i = 0; dict != NULL && i < pairs; i++) {
        if (PyDict_SetItem(dict, keys_and_values[2 * i], keys_and_values[2 * i + 1]) < 0) {
            Py_CLEAR(dict);
        }
    }
    return dict;
}

/* ---- items, comparison, text ---- */

PyObject *
ppy_get_slice(PyObject *o, PyObject *start, PyObject *stop)
{
    PyObject *slice = PySlice_New(start, stop, NULL);
    PyObject *result = slice == NULL ? NULL : PyObject_GetItem(o, slice);
    Py_XDECREF(slice);
    return result;
}

int
ppy_set_slice(PyObject *o, PyObject *start, PyObject *stop, PyObject *value)
{
    PyObject *slice = PySlice_New(start, stop, NULL);
    int status = slice == NULL ? -1 : PyObject_SetItem(o, slice, value);
    Py_XDECREF(slice);
    return status;
}

int
ppy_compare_truth_slow(PyObject *a, PyObject *b, int op)
{
    PyObject *result = PyObject_RichCompare(a, b, op);
    if (result == NULL) {
        return -1;
    }
    int truth = ppy_truth(result);
    Py_DECREF(result);
    return truth;
}

PyObject *
ppy_not(PyObject *o)
{
    int truth = ppy_truth(o);
    return truth < 0 ? NULL : PyBool_FromLong(!truth);
}

PyObject *
ppy_format(PyObject *value, int conversion, PyObject *spec)
{
    PyObject *text = conversion == 's'   ? PyObject_Str(value)
                     : conversion == 'r' ? PyObject_Repr(value)
                     : conversion == 'a' ? PyObject_ASCII(value)
                                         : Py_NewRef(value);
    if (text == NULL || (PyUnicode_CheckExact(text) && spec == NULL)) {
        return text;
    }
    Py_SETREF(text, PyObject_Format(text, spec));
    return text;
}

PyObject *
ppy_build_string(PyObject **parts, int64_t count)
{
    static PyObject *empty;
    if (empty == NULL && (empty = PyUnicode_New(0, 0)) == NULL) {
        return NULL;
    }
    return _PyUnicode_JoinArray(empty, parts, count);
}
