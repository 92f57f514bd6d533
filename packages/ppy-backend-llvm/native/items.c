/* Items, iteration, and the frames that operations on builtin objects do without.
 *
 * Linking a frame costs more than most operations on builtin objects, which run no Python code: these functions look at
 * the operands first.  As in blind.c, the __eq__ of a key that happens to share a builtin key's hash is not reckoned with. */
#include "ppy_private.h"

static inline int
is_scalar(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    return type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type || type == &PyBool_Type || o == Py_None;
}

static inline int
is_hashed(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    return type == &PyDict_Type || type == &PySet_Type || type == &PyFrozenSet_Type;
}

static inline int
is_sequence(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    return type == &PyList_Type || type == &PyTuple_Type || type == &PyUnicode_Type;
}

void
ppy_frame_enter_for(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *a, PyObject *b)
{
    int quiet = b != NULL ? is_scalar(b) && (is_scalar(a) || is_hashed(a))
                          : is_scalar(a) || is_hashed(a) || is_sequence(a) || Py_IS_TYPE(a, &PyRange_Type);
    if (!quiet) {
        ppy_frame_enter(ctx, act, fn, lasti);
    }
}

void
ppy_frame_enter_call(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *callable, PyObject *const *args,
                     size_t nargsf)
{
    if (act->frame != NULL || !ppy_frame_blind(callable, args, PyVectorcall_NARGS(nargsf))) {
        ppy_frame_enter(ctx, act, fn, lasti);
    }
}

PyObject *
ppy_item_at(PyObject *o, int64_t index)
{
    PyObject *item = NULL;
    if (Py_IS_TYPE(o, &PyList_Type)) {
        item = ppy_list_index(o, index);
    }
    else if (Py_IS_TYPE(o, &PyUnicode_Type)) {
        ppy_i64r code = ppy_str_at(o, index);
        return code.ok ? ppy_str_from_code(code.value) : NULL;
    }
    else if (Py_IS_TYPE(o, &PyTuple_Type)) {
        item = ppy_tuple_index(o, index);
    }
    return Py_XNewRef(item);
}

/* Taking a part of a builtin sequence with plain bounds. */
static inline int
is_plain_slice(PyObject *o, PyObject *key)
{
    return Py_IS_TYPE(key, &PySlice_Type) && is_sequence(o) && is_scalar(((PySliceObject *)key)->start)
        && is_scalar(((PySliceObject *)key)->stop) && is_scalar(((PySliceObject *)key)->step);
}

PyObject *
ppy_getitem(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *o, PyObject *key)
{
    if (Py_IS_TYPE(o, &PyDict_Type) && is_scalar(key)) {
        PyObject *value = PyDict_GetItemWithError(o, key);
        if (value != NULL || PyErr_Occurred()) {
            return Py_XNewRef(value);
        }
    }
    else if (Py_IS_TYPE(key, &PyLong_Type)) {
        ppy_i64r index = ppy_unbox_i64(key);
        PyObject *item = index.ok ? ppy_item_at(o, index.value) : NULL;
        if (PPY_LIKELY(item != NULL)) {
            return item;
        }
    }
    else if (!is_plain_slice(o, key)) {
        ppy_frame_enter(ctx, act, fn, lasti);
        return PyObject_GetItem(o, key);
    }
    if (!is_sequence(o) && !is_hashed(o)) {
        ppy_frame_enter(ctx, act, fn, lasti);
    }
    return PyObject_GetItem(o, key);
}

int
ppy_setitem(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *o, PyObject *key, PyObject *value)
{
    if (Py_IS_TYPE(o, &PyDict_Type) && is_scalar(key)) {
        return PyDict_SetItem(o, key, value);
    }
    if (Py_IS_TYPE(o, &PyList_Type) && Py_IS_TYPE(key, &PyLong_Type)) {
        ppy_i64r index = ppy_unbox_i64(key);
        if (index.ok && ppy_list_store(o, index.value, Py_NewRef(value)) == 0) {
            return 0;
        }
    }
    ppy_frame_enter(ctx, act, fn, lasti);
    return PyObject_SetItem(o, key, value);
}

int
ppy_next(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *iterator, PyObject **out)
{
    PyTypeObject *type = Py_TYPE(iterator);
    if (type != &PyListIter_Type && type != &PyRangeIter_Type && type != &PyTupleIter_Type && type != &PyDictIterKey_Type
        && type != &PyDictIterItem_Type && type != &PyDictIterValue_Type && type != &PySetIter_Type
        && type != &PyUnicodeIter_Type) {
        ppy_frame_enter(ctx, act, fn, lasti);
    }
    return ppy_iter_next(iterator, out);
}
