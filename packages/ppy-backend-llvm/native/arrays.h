/* NumPy's arrays as its binary interface lays them out, the same in every NumPy 2 (ndarraytypes.h; checked by find_numpy),
 * and what the functions on arrays share. */
#ifndef PPY_ARRAYS_H
#define PPY_ARRAYS_H

#include "ppy_private.h"
#include "ppy_tensor.h"

enum { PPY_MAX_DIMS = 16, PPY_MAX_OPERANDS = 24 };

typedef struct {
    PyObject_HEAD
    PyTypeObject *scalar_type;
    char kind, code, byteorder, unused;
    int number;
} ppy_descr;

typedef struct {
    PyObject_HEAD
    char *data;
    int nd;
    Py_ssize_t *shape, *strides;
    PyObject *base;
    ppy_descr *descr;
    int flags;
} ppy_array;

enum { NPY_FLOAT32 = 11, NPY_FLOAT64 = 12 };
enum { ARRAY_C = 0x1, ARRAY_F = 0x2, ARRAY_ALIGNED = 0x100, ARRAY_WRITEABLE = 0x400 };

typedef struct {
    PyTypeObject *type;                                                      /* numpy.ndarray; NULL: no usable NumPy */
    PyObject *(*empty)(int nd, Py_ssize_t const *shape, ppy_descr *descr, int fortran); /* steals descr */
    ppy_descr *(*descr_of)(int number);                                      /* new reference */
    PyObject *(*scalar)(void *data, ppy_descr *descr, PyObject *base);
    int pairwise; /* 1: sums of contiguous floats are pairwise as a whole, not in chunks of its buffers' size */
} ppy_numpy;

/* The classes of what native code holds in registers, filled in with ppy_find_numpy; NULL before. */
typedef struct {
    PyTypeObject *array, *float64, *int64, *boolean;
    char *booleans; /* numpy.False_, and numpy.True_ behind it */
} ppy_numpy_classes;
extern ppy_numpy_classes ppy_numpy_known;

/* NumPy, once the program has imported it; NULL before that, or where its interface is not known. */
PPY_SHARED const ppy_numpy *ppy_find_numpy(void);

/* An exact, aligned array of the type `number` in native byte order, or NULL. */
static inline ppy_array *
array_of(const ppy_numpy *numpy, PyObject *object, int number)
{
    ppy_array *array = (ppy_array *)object;
    if (Py_TYPE(object) != numpy->type || array->descr->number != number || array->nd > PPY_MAX_DIMS) {
        return NULL;
    }
    char order = array->descr->byteorder;
    return (order == '=' || order == '|') && (array->flags & ARRAY_ALIGNED) ? array : NULL;
}

#endif
