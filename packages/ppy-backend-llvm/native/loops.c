/* NumPy's own inner loops, for kernels that call them: found by name and types among those of the universal function. */
#include "arrays.h"
#include <fenv.h>
#include <string.h>

/* The head of PyUFuncObject, the same in every NumPy 2 (numpy/ufuncobject.h). */
typedef struct {
    PyObject_HEAD
    int nin, nout, nargs, identity;
    void (**functions)(char **, const intptr_t *, const intptr_t *, void *);
    void *const *contexts;
    int ntypes, reserved;
    const char *name, *types;
} ufunc_object;

/* NumPy's numbers of the types whose codes are given: what `types` of a universal function holds. */
static int
type_number(char code)
{
    static const struct { char code; int number; } TYPES[] = {
        {'?', 0}, {'b', 1}, {'B', 2}, {'h', 3}, {'H', 4}, {'i', 5}, {'I', 6}, {'l', 7}, {'L', 8}, {'f', 11}, {'d', 12},
    };
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (TYPES[i].code == code) {
            return TYPES[i].number;
        }
    }
    return -1;
}

static int
find_loop(PyObject *module, const ppy_tensor_loop_name *wanted, ppy_tensor_loop *loop)
{
    PyObject *object = PyObject_GetAttrString(module, wanted->function);
    int found = 0, length = (int)strlen(wanted->types);
    if (object != NULL && strcmp(Py_TYPE(object)->tp_name, "numpy.ufunc") == 0) {
        ufunc_object *ufunc = (ufunc_object *)object;
        for (int t = 0; t < ufunc->ntypes && !found && ufunc->nargs == length; t++) {
            found = 1;
            for (int i = 0; i < length; i++) {
                found &= ufunc->types[t * length + i] == type_number(wanted->types[i]);
            }
            if (found) {
                loop->context = ufunc->contexts == NULL ? NULL : ufunc->contexts[t];
                __atomic_store_n(&loop->function, ufunc->functions[t], __ATOMIC_RELEASE);
            }
        }
    }
    PyErr_Clear();
    Py_XDECREF(object);
    return found && loop->function != NULL;
}

/* 1: all loops are there. The functions are those of the module that NumPy defines them in, whatever a program put into
 * the module that it imports. */
static int
find_loops(const ppy_tensor_desc *desc, ppy_tensor_loop *loops)
{
    const ppy_tensor_loop_name *names = (const ppy_tensor_loop_name *)&desc->operand[desc->operands];
    if (desc->loops == 0 || __atomic_load_n(&loops[desc->loops - 1].function, __ATOMIC_ACQUIRE) != NULL) {
        return 1;
    }
    PyObject *name = PyUnicode_FromString("numpy._core._multiarray_umath");
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    int found = module != NULL;
    for (int i = 0; i < desc->loops && found; i++) {
        found = find_loop(module, &names[i], &loops[i]);
    }
    PyErr_Clear();
    Py_XDECREF(module);
    Py_XDECREF(name);
    return found;
}

int64_t ppy_opaque_zero = 0;

void
ppy_tensor_library(const void *found, void *data, void *count, void *strides)
{
    const ppy_tensor_loop *loop = found;
    int raised = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    loop->function(data, count, strides, loop->context);
    feraiseexcept(raised);
}
