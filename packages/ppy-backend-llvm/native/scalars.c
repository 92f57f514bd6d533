/* Scalars of NumPy: what an element of an array is when Python sees it.
 *
 * Native code holds one as a number and a bit that says whether it is NumPy's or Python's own. */
#include "arrays.h"
#include <math.h>
#include <string.h>

/* Each is the object's head and the value (arrayscalars.h); numpy.float64 is a float, laid out as one. */
typedef struct { PyObject_HEAD union { double f64; int64_t i64; unsigned char boolean; } value; } scalar;

ppy_numpy_classes ppy_numpy_known;

static const ppy_numpy_classes *
known(void)
{
    ppy_find_numpy();
    return &ppy_numpy_known;
}

int
ppy_is_ndarray(PyObject *o)
{
    return Py_TYPE(o) == known()->array;
}

ppy_f64r
ppy_unbox_any_f64(PyObject *o)
{
    ppy_f64r found = ppy_unbox_f64(o);
    if (!found.ok && Py_TYPE(o) == known()->float64) {
        return (ppy_f64r){((scalar *)o)->value.f64, 2};
    }
    return found;
}

ppy_i64r
ppy_unbox_any_i64(PyObject *o)
{
    ppy_i64r found = ppy_unbox_i64(o);
    if (!found.ok && Py_TYPE(o) == known()->int64) {
        return (ppy_i64r){((scalar *)o)->value.i64, 2};
    }
    return found;
}

ppy_i64r
ppy_unbox_any_bool(PyObject *o)
{
    ppy_i64r found = ppy_unbox_bool(o);
    if (!found.ok && Py_TYPE(o) == known()->boolean) {
        return (ppy_i64r){((scalar *)o)->value.boolean, 2};
    }
    return found;
}

static PyObject *
made(PyTypeObject *type, const void *value)
{
    scalar *object = (scalar *)type->tp_alloc(type, 0);
    if (object != NULL) {
        memcpy(&object->value, value, sizeof object->value);
    }
    return (PyObject *)object;
}

PyObject *
ppy_box_any_f64(double v, int64_t numpy)
{
    return numpy ? made(known()->float64, &v) : ppy_box_f64(v);
}

PyObject *
ppy_box_any_i64(int64_t v, int64_t numpy)
{
    return numpy ? made(known()->int64, &v) : ppy_box_i64(v);
}

PyObject *
ppy_box_any_bool(int64_t v, int64_t numpy)
{
    if (!numpy) {
        return ppy_box_bool(v);
    }
    const ppy_numpy_classes *classes = known(); /* two of them stand there, one behind the other */
    return Py_NewRef((PyObject *)(classes->booleans + (v ? classes->boolean->tp_basicsize : 0)));
}

/* What numpy.errstate sets is a capsule in a context variable (numpy/_core/src/umath/extobj.c). */
typedef struct { int mask; Py_ssize_t buffer; PyObject *function; } ppy_errstate;
enum { UNDERFLOW_SHIFT = 6, MODE_MASK = 7 };

int
ppy_numpy_ignores_underflow(void)
{
    static PyObject *variable;
    if (variable == NULL) {
        PyObject *name = PyUnicode_FromString("numpy._core._multiarray_umath");
        PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
        variable = module == NULL ? NULL : PyObject_GetAttrString(module, "_extobj_contextvar");
        Py_XDECREF(module);
        Py_XDECREF(name);
    }
    PyObject *state = NULL;
    int found = variable != NULL && PyContextVar_CheckExact(variable) ? PyContextVar_Get(variable, NULL, &state) : -1;
    ppy_errstate *errors = found == 0 && state != NULL ? PyCapsule_GetPointer(state, "numpy.ufunc.extobj") : NULL;
    int ignores = errors != NULL && (errors->mask >> UNDERFLOW_SHIFT & MODE_MASK) == 0;
    Py_XDECREF(state);
    PyErr_Clear();
    return ignores;
}

double
ppy_numpy_pow(double x, double y)
{
    return pow(x, y);
}
