/* References, exact type tests and layout reads of CPython's objects.  Inlined into units. */

PPY_HOT_DEF void ppy_incref(PyObject *o) { Py_INCREF(o); }
PPY_HOT_DEF void ppy_decref(PyObject *o) { Py_DECREF(o); }
PPY_HOT_DEF void ppy_xincref(PyObject *o) { Py_XINCREF(o); }
PPY_HOT_DEF void ppy_xdecref(PyObject *o) { Py_XDECREF(o); }

PPY_HOT_DEF int ppy_is_type(PyObject *o, PyObject *type) { return (PyObject *)Py_TYPE(o) == type; }
PPY_HOT_DEF int ppy_is_int(PyObject *o) { return Py_IS_TYPE(o, &PyLong_Type); }
PPY_HOT_DEF int ppy_is_float(PyObject *o) { return Py_IS_TYPE(o, &PyFloat_Type); }
PPY_HOT_DEF int ppy_is_bool(PyObject *o) { return Py_IS_TYPE(o, &PyBool_Type); }
PPY_HOT_DEF int ppy_is_str(PyObject *o) { return Py_IS_TYPE(o, &PyUnicode_Type); }
PPY_HOT_DEF int ppy_is_list(PyObject *o) { return Py_IS_TYPE(o, &PyList_Type); }
PPY_HOT_DEF int ppy_is_tuple(PyObject *o) { return Py_IS_TYPE(o, &PyTuple_Type); }
PPY_HOT_DEF int ppy_is_dict(PyObject *o) { return Py_IS_TYPE(o, &PyDict_Type); }
PPY_HOT_DEF int ppy_is_none(PyObject *o) { return o == Py_None; }

PPY_HOT_DEF int64_t ppy_list_size(PyObject *list) { return ((PyVarObject *)list)->ob_size; }
PPY_HOT_DEF int64_t ppy_tuple_size(PyObject *tuple) { return ((PyVarObject *)tuple)->ob_size; }
PPY_HOT_DEF int64_t ppy_dict_size(PyObject *dict) { return ((PyDictObject *)dict)->ma_used; }
PPY_HOT_DEF int64_t ppy_str_size(PyObject *str) { return ((PyASCIIObject *)str)->length; }
PPY_HOT_DEF int64_t ppy_bytes_size(PyObject *bytes) { return ((PyVarObject *)bytes)->ob_size; }

PPY_HOT_DEF PyObject *ppy_list_item(PyObject *list, int64_t index) { return ((PyListObject *)list)->ob_item[index]; }
PPY_HOT_DEF PyObject *ppy_tuple_item(PyObject *tuple, int64_t index) { return ((PyTupleObject *)tuple)->ob_item[index]; }

PPY_HOT_DEF int
ppy_truth(PyObject *o)
{
    if (o == Py_True || o == Py_False || o == Py_None) {
        return o == Py_True;
    }
    if (Py_IS_TYPE(o, &PyLong_Type)) {
        return ppy_long_ndigits(o) != 0;
    }
    return PyObject_IsTrue(o);
}

/* A Python index as an offset; anything out of range comes out as one. */
static inline __attribute__((always_inline)) int64_t
ppy_offset(int64_t index, int64_t size)
{
    return index < 0 ? index + size : index;
}

PPY_HOT_DEF PyObject *
ppy_list_index(PyObject *list, int64_t index)
{
    int64_t size = ppy_list_size(list), at = ppy_offset(index, size);
    return PPY_LIKELY((uint64_t)at < (uint64_t)size) ? ppy_list_item(list, at) : NULL;
}

PPY_HOT_DEF PyObject *
ppy_tuple_index(PyObject *tuple, int64_t index)
{
    int64_t size = ppy_tuple_size(tuple), at = ppy_offset(index, size);
    return PPY_LIKELY((uint64_t)at < (uint64_t)size) ? ppy_tuple_item(tuple, at) : NULL;
}

PPY_HOT_DEF ppy_i64r
ppy_str_at(PyObject *str, int64_t index)
{
    int64_t size = ppy_str_size(str), at = ppy_offset(index, size);
    if (PPY_UNLIKELY((uint64_t)at >= (uint64_t)size || !PyUnicode_IS_READY(str))) {
        return (ppy_i64r){0, 0};
    }
    return (ppy_i64r){PyUnicode_READ(PyUnicode_KIND(str), PyUnicode_DATA(str), at), 1};
}

PPY_HOT_DEF ppy_i64r
ppy_bytes_at(PyObject *bytes, int64_t index)
{
    int64_t size = ppy_bytes_size(bytes), at = ppy_offset(index, size);
    if (PPY_UNLIKELY((uint64_t)at >= (uint64_t)size)) {
        return (ppy_i64r){0, 0};
    }
    return (ppy_i64r){(unsigned char)((PyBytesObject *)bytes)->ob_sval[at], 1};
}

PPY_HOT_DEF int
ppy_list_store(PyObject *list, int64_t index, PyObject *item)
{
    int64_t size = ppy_list_size(list), at = ppy_offset(index, size);
    if (PPY_UNLIKELY((uint64_t)at >= (uint64_t)size)) {
        Py_DECREF(item);
        return 1;
    }
    PyObject *old = ((PyListObject *)list)->ob_item[at];
    ((PyListObject *)list)->ob_item[at] = item;
    Py_DECREF(old);
    return 0;
}

PPY_HOT_DEF void ppy_list_fill(PyObject *list, int64_t index, PyObject *item) { PyList_SET_ITEM(list, index, item); }
PPY_HOT_DEF void ppy_tuple_fill(PyObject *tuple, int64_t index, PyObject *item) { PyTuple_SET_ITEM(tuple, index, item); }

PPY_HOT_DEF int
ppy_list_append(PyObject *list, PyObject *item)
{
    PyListObject *self = (PyListObject *)list;
    Py_ssize_t size = ((PyVarObject *)self)->ob_size;
    if (PPY_LIKELY(size < self->allocated)) {
        Py_INCREF(item);
        self->ob_item[size] = item;
        ((PyVarObject *)self)->ob_size = size + 1;
        return 0;
    }
    return PyList_Append(list, item);
}

PPY_HOT_DEF int
ppy_compare_truth(PyObject *a, PyObject *b, int op)
{
    if (Py_IS_TYPE(a, &PyFloat_Type) && Py_IS_TYPE(b, &PyFloat_Type)) {
        double x = ((PyFloatObject *)a)->ob_fval, y = ((PyFloatObject *)b)->ob_fval;
        switch (op) {
        case Py_LT: return x < y;
        case Py_LE: return x <= y;
        case Py_EQ: return x == y;
        case Py_NE: return x != y;
        case Py_GT: return x > y;
        default: return x >= y;
        }
    }
    return ppy_compare_truth_slow(a, b, op);
}

PPY_HOT_DEF int
ppy_iter_next(PyObject *iterator, PyObject **out)
{
    *out = Py_TYPE(iterator)->tp_iternext(iterator);
    return PPY_LIKELY(*out != NULL) ? 1 : ppy_iter_end();
}

PPY_HOT_DEF int ppy_match_sequence(PyObject *o) { return (Py_TYPE(o)->tp_flags & Py_TPFLAGS_SEQUENCE) != 0; }
PPY_HOT_DEF int ppy_match_mapping(PyObject *o) { return (Py_TYPE(o)->tp_flags & Py_TPFLAGS_MAPPING) != 0; }
