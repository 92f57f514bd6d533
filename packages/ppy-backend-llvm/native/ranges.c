/* Counted loops in general bodies: `for x in range(...)` with the state of the iteration in values (py.range_begin, py.range_next).
 *
 * An iterator of NULL says that the state is three exact ints; otherwise it is an iterator like any other. */

/* out: iterator, current, stop, step, all new references (the iterator NULL for a builtin range of exact ints). */
int ppy_range_begin(PyObject *callee, PyObject *const *args, int64_t count, PyObject **out)
{
    int plain = callee == (PyObject *)&PyRange_Type && count >= 1 && count <= 3;
    for (int64_t i = 0; plain && i < count; i++)
        plain = PyLong_CheckExact(args[i]);
    if (plain && count == 3 && _PyLong_Sign(args[2]) == 0)
        plain = 0;
    if (plain) {
        out[0] = NULL;
        out[1] = count > 1 ? Py_NewRef(args[0]) : PyLong_FromLong(0);
        out[2] = Py_NewRef(args[count > 1 ? 1 : 0]);
        out[3] = count > 2 ? Py_NewRef(args[2]) : PyLong_FromLong(1);
        return 0;
    }
    PyObject *iterable = PyObject_Vectorcall(callee, args, (size_t)count, NULL);
    if (iterable == NULL)
        return -1;
    out[0] = PyObject_GetIter(iterable);
    Py_DECREF(iterable);
    if (out[0] == NULL)
        return -1;
    out[1] = Py_NewRef(Py_None);
    out[2] = Py_NewRef(Py_None);
    out[3] = Py_NewRef(Py_None);
    return 0;
}

/* out: item (NULL at the end) and the following current; 1 an item, 0 the end, -1 exception. */
int ppy_range_next(PyObject *iterator, PyObject *current, PyObject *stop, PyObject *step, PyObject **out)
{
    out[0] = NULL;
    if (iterator != NULL) {
        int more = ppy_iter_next(iterator, out);
        out[1] = more < 0 ? NULL : Py_NewRef(Py_None);
        return more;
    }
    ppy_i64r now = ppy_unbox_i64(current), end = ppy_unbox_i64(stop), by = ppy_unbox_i64(step);
    int64_t following;
    if (PPY_LIKELY(now.ok && end.ok && by.ok && !__builtin_add_overflow(now.value, by.value, &following))) {
        int more = by.value > 0 ? now.value < end.value : now.value > end.value;
        out[1] = more ? ppy_box_i64(following) : Py_NewRef(current);
        out[0] = more && out[1] != NULL ? Py_NewRef(current) : NULL;
        return out[1] == NULL ? -1 : more;
    }
    int order = PyObject_RichCompareBool(current, stop, _PyLong_Sign(step) > 0 ? Py_LT : Py_GT);
    if (order <= 0) {
        out[1] = order < 0 ? NULL : Py_NewRef(current);
        return order;
    }
    out[1] = PyNumber_Add(current, step);
    if (out[1] == NULL)
        return -1;
    out[0] = Py_NewRef(current);
    return 1;
}
