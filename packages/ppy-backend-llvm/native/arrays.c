/* Fused array expressions: one kernel over broadcast operands, into a new array.
 *
 * Everything here is an attempt that may decline: it answers NULL without an exception and without any effect where the
 * operands are not what the kernel was made for, where NumPy would raise, warn or lay the result out in another way. The
 * program then runs NumPy's own operations. */
#include "arrays.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

static ppy_numpy numpy_found;

/* Indices into NumPy's table of functions (__multiarray_api.h). */
enum {
    API_VERSION = 0, API_ARRAY_TYPE = 2, API_BOOL_TYPE = 8, API_BOOLS = 9, API_LONG_TYPE = 23, API_DOUBLE_TYPE = 31,
    API_DESCR_FROM_TYPE = 45, API_SCALAR = 60, API_EMPTY = 184, API_FEATURE_VERSION = 211
};
enum { FEATURES_2_3 = 0x14 };

const ppy_numpy *
ppy_find_numpy(void)
{
    if (PPY_LIKELY(numpy_found.type != NULL)) {
        return &numpy_found;
    }
    PyObject *name = PyUnicode_FromString("numpy._core._multiarray_umath");
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    PyObject *capsule = module == NULL ? NULL : PyObject_GetAttrString(module, "_ARRAY_API");
    void **api = capsule != NULL && PyCapsule_CheckExact(capsule) ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    if (api != NULL && ((unsigned int (*)(void))api[API_VERSION])() >> 24 == 2) {
        numpy_found.empty = (PyObject * (*)(int, Py_ssize_t const *, ppy_descr *, int)) api[API_EMPTY];
        numpy_found.descr_of = (ppy_descr * (*)(int)) api[API_DESCR_FROM_TYPE];
        numpy_found.scalar = (PyObject * (*)(void *, ppy_descr *, PyObject *)) api[API_SCALAR];
        numpy_found.pairwise = ((unsigned int (*)(void))api[API_FEATURE_VERSION])() >= FEATURES_2_3;
        numpy_found.type = (PyTypeObject *)api[API_ARRAY_TYPE];
        ppy_numpy_known.array = numpy_found.type;
        ppy_numpy_known.float64 = (PyTypeObject *)api[API_DOUBLE_TYPE];
        ppy_numpy_known.int64 = (PyTypeObject *)api[API_LONG_TYPE];
        ppy_numpy_known.boolean = (PyTypeObject *)api[API_BOOL_TYPE];
        ppy_numpy_known.booleans = api[API_BOOLS];
    }
    PyErr_Clear();
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return numpy_found.type != NULL ? &numpy_found : NULL;
}

/* The operands of a kernel, broadcast to one shape: place 0 is the result. */
typedef struct {
    int places, nd;
    Py_ssize_t size;
    Py_ssize_t shape[PPY_MAX_DIMS];
    char *data[PPY_MAX_OPERANDS + 1];
    int64_t strides[PPY_MAX_OPERANDS + 1][PPY_MAX_DIMS]; /* 0 where an operand is broadcast */
    int64_t words[PPY_MAX_OPERANDS + 1];                 /* the values of operands that are numbers */
} nest;

/* A Python number as the type that the kernel computes with; 0: NumPy converts it with a warning, or not at all. */
static int
number_word(const ppy_tensor_operand *operand, PyObject *object, int64_t given, int64_t *word)
{
    double value;
    if (operand->kind == PPY_OPERAND_INT) {
        int64_t integer = given;
        if (object != NULL) {
            ppy_i64r unboxed = ppy_unbox_i64(object);
            if (!unboxed.ok) {
                return 0;
            }
            integer = unboxed.value;
        }
        if (operand->form == PPY_FORM_INT) {
            int spare = 64 - 8 * operand->size;
            *word = integer;
            return operand->is_signed ? integer == (int64_t)((uint64_t)integer << spare) >> spare
                                      : integer >= 0 && (spare == 0 || (uint64_t)integer >> (64 - spare) == 0);
        }
        if (integer > (1LL << 53) || integer < -(1LL << 53)) {
            return 0; /* beyond that NumPy may round twice */
        }
        value = (double)integer;
    } else if (object == NULL) {
        memcpy(&value, &given, sizeof value);
    } else {
        ppy_f64r unboxed = ppy_unbox_f64(object);
        if (!unboxed.ok) {
            return 0;
        }
        value = unboxed.value;
    }
    if (operand->form == PPY_FORM_F64) {
        memcpy(word, &value, sizeof value);
        return 1;
    }
    float single = (float)value;
    *word = 0;
    memcpy(word, &single, sizeof single);
    return operand->form == PPY_FORM_F32 && isfinite(single) == isfinite(value);
}

/* Broadcasts one more array; 0: the shapes do not fit. */
static int
add_array(nest *n, int place, const ppy_array *array)
{
    int skip = array->nd - n->nd;
    if (skip > 0) { /* it has more dimensions: the others are broadcast over those */
        for (int d = n->nd - 1; d >= 0; d--) {
            n->shape[d + skip] = n->shape[d];
            for (int p = 1; p < place; p++) {
                n->strides[p][d + skip] = n->strides[p][d];
            }
        }
        for (int d = 0; d < skip; d++) {
            n->shape[d] = 1;
            for (int p = 1; p < place; p++) {
                n->strides[p][d] = 0;
            }
        }
        n->nd = array->nd;
        skip = 0;
    }
    for (int d = 0; d < n->nd; d++) {
        Py_ssize_t extent = d + skip >= 0 ? array->shape[d + skip] : 1;
        n->strides[place][d] = extent == 1 ? 0 : array->strides[d + skip];
        if (extent != 1 && n->shape[d] != extent) {
            if (n->shape[d] != 1) {
                return 0;
            }
            n->shape[d] = extent;
        }
    }
    n->data[place] = array->data;
    return 1;
}

static int
gather(const ppy_numpy *numpy, nest *n, const ppy_tensor_desc *desc, PyObject *const *args, const int64_t *words)
{
    n->nd = 0;
    n->places = desc->operands + 1;
    for (int i = 0; i < desc->operands; i++) {
        const ppy_tensor_operand *operand = &desc->operand[i];
        if (operand->kind != PPY_OPERAND_ARRAY) {
            n->data[i + 1] = (char *)&n->words[i + 1];
            memset(n->strides[i + 1], 0, sizeof n->strides[i + 1]);
            if (!number_word(operand, args[i], words[i], &n->words[i + 1])) {
                return 0;
            }
            continue;
        }
        ppy_array *array = args[i] == NULL ? NULL : array_of(numpy, args[i], operand->number);
        if (array == NULL || array->nd == 0 || !add_array(n, i + 1, array)) {
            return 0; /* without dimensions an array may be treated as a number */
        }
    }
    n->size = 1;
    for (int d = 0; d < n->nd; d++) {
        n->size *= n->shape[d];
    }
    /* Without elements an operation on some of the operands may still have some, and something to say. For one element
     * NumPy calls its inner loops with steps of zero, and some of them round in another way then. */
    return n->size > (desc->loops != 0);
}

/* Whether the strides of an operand fall from dimension to dimension or, with `fortran`, rise. A broadcast dimension says
 * nothing for a row-major result; for a column-major one every operand has to have all dimensions, because an operation
 * among those that have not gives a row-major one. */
static int
ordered(const nest *n, int place, int fortran)
{
    int64_t last = 0;
    for (int i = 0; i < n->nd; i++) {
        int d = fortran ? i : n->nd - 1 - i;
        int64_t stride = n->strides[place][d] < 0 ? -n->strides[place][d] : n->strides[place][d];
        if (n->shape[d] == 1 || (stride == 0 && !fortran)) {
            continue;
        }
        if (stride < last || (fortran && stride == last)) {
            return 0;
        }
        last = stride;
    }
    return 1;
}

/* How NumPy lays the result out: 0 row-major, 1 column-major, -1 the operands differ, and it decides one by one. */
static int
result_order(const nest *n, const ppy_tensor_desc *desc)
{
    for (int fortran = 0; fortran < 2; fortran++) {
        int agree = 1;
        for (int i = 0; i < desc->operands && agree; i++) {
            agree = desc->operand[i].kind != PPY_OPERAND_ARRAY || ordered(n, i + 1, fortran);
        }
        if (agree) {
            return fortran;
        }
    }
    return -1;
}

/* Merges dimensions that all operands step through in one go, and drops those of one element. */
static void
coalesce(nest *n, int fortran)
{
    int order[PPY_MAX_DIMS], kept = 0;
    for (int i = 0; i < n->nd; i++) {
        int d = fortran ? n->nd - 1 - i : i;
        if (n->shape[d] != 1) {
            order[kept++] = d;
        }
    }
    nest old = *n;
    n->nd = 0;
    for (int i = 0; i < kept; i++) {
        int d = order[i], last = n->nd - 1, merges = last >= 0;
        for (int p = 0; p < n->places && merges; p++) {
            merges = n->strides[p][last] == old.strides[p][d] * old.shape[d];
        }
        if (!merges) {
            last = n->nd++;
            n->shape[last] = 1;
        }
        n->shape[last] *= old.shape[d];
        for (int p = 0; p < n->places; p++) {
            n->strides[p][last] = old.strides[p][d];
        }
    }
}

/* Runs the kernel over all elements; what it answers is not 0 where a value needs NumPy. */
static int64_t
run_nest(const nest *n, ppy_tensor_kernel kernel, const ppy_tensor_loop *loops)
{
    char *data[PPY_MAX_OPERANDS + 1];
    int64_t inner[PPY_MAX_OPERANDS + 1], declined = 0;
    Py_ssize_t at[PPY_MAX_DIMS] = {0};
    int last = n->nd - 1;
    memcpy(data, n->data, sizeof data);
    for (int p = 0; p < n->places; p++) {
        inner[p] = last >= 0 ? n->strides[p][last] : 0;
    }
    Py_ssize_t length = last >= 0 ? n->shape[last] : 1;
    for (;;) {
        declined |= kernel(data, inner, length, loops);
        int d = last - 1;
        for (; d >= 0; d--) {
            at[d]++;
            int done = at[d] == n->shape[d];
            for (int p = 0; p < n->places; p++) {
                data[p] += n->strides[p][d] * (done ? 1 - n->shape[d] : 1);
            }
            if (!done) {
                break;
            }
            at[d] = 0;
        }
        if (d < 0) {
            return declined;
        }
    }
}

static const struct { int flag; const char *name; } STATUS[] = {
    {FE_DIVBYZERO, "divide"}, {FE_OVERFLOW, "over"}, {FE_UNDERFLOW, "under"}, {FE_INVALID, "invalid"},
};

/* Whether the program told NumPy to ignore all of these floating-point errors. */
static int
ignored(int raised)
{
    PyObject *name = PyUnicode_FromString("numpy");
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    PyObject *modes = module == NULL ? NULL : PyObject_CallMethod(module, "geterr", NULL);
    int all = modes != NULL && PyDict_CheckExact(modes);
    for (size_t i = 0; all && i < sizeof STATUS / sizeof *STATUS; i++) {
        if (raised & STATUS[i].flag) {
            PyObject *mode = PyDict_GetItemString(modes, STATUS[i].name);
            all = mode != NULL && PyUnicode_CheckExact(mode) && PyUnicode_CompareWithASCIIString(mode, "ignore") == 0;
        }
    }
    PyErr_Clear();
    Py_XDECREF(modes);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return all;
}

enum { FE_REPORTED = FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID };

/* One run of a kernel, on several threads perhaps. */
typedef struct {
    const nest *whole;
    ppy_tensor_kernel kernel;
    const ppy_tensor_loop *loops;
    int64_t declined;
    int raised;
} computation;

/* A part of the outermost dimension. Each thread has floating-point flags of its own. */
static void
compute_part(void *arg, int64_t lo, int64_t hi)
{
    computation *c = arg;
    nest part = *c->whole;
    if (part.nd > 0) {
        part.shape[0] = hi - lo;
        for (int p = 0; p < part.places; p++) {
            part.data[p] += lo * part.strides[p][0];
        }
    }
    feclearexcept(FE_REPORTED);
    int64_t declined = run_nest(&part, c->kernel, c->loops);
    __atomic_or_fetch(&c->raised, fetestexcept(FE_REPORTED), __ATOMIC_RELAXED);
    __atomic_or_fetch(&c->declined, declined, __ATOMIC_RELAXED);
}

/* 1: the result stands; 0: NumPy has something to say about it. */
static int
compute(const nest *n, const ppy_tensor_desc *desc, ppy_tensor_kernel kernel, const ppy_tensor_loop *loops)
{
    computation c = {n, kernel, loops, 0, 0};
    int64_t rows = n->nd > 0 ? n->shape[0] : 1, work = n->size * desc->cost;
    if (work < PPY_NOGIL_COST) {
        compute_part(&c, 0, rows);
    } else {
        PyThreadState *state = PyEval_SaveThread();
        ppy_parallel_for(rows, 1 + PPY_NOGIL_COST / (1 + work / rows), compute_part, &c);
        PyEval_RestoreThread(state);
    }
    int raised = c.raised & ~desc->quiet;
    feclearexcept(FE_REPORTED);
    return c.declined == 0 && (raised == 0 || ignored(raised));
}

PyObject *
ppy_tensor_map(void *kernel, const void *description, PyObject *const *args, const int64_t *words, void *loops)
{
    const ppy_tensor_desc *desc = description;
    const ppy_numpy *numpy = ppy_find_numpy();
    nest n;
    if (numpy == NULL || !gather(numpy, &n, desc, args, words) || !find_loops(desc, loops)) {
        return NULL;
    }
    int order = result_order(&n, desc);
    if (order < 0) {
        return NULL;
    }
    ppy_array *result = (ppy_array *)numpy->empty(n.nd, n.shape, numpy->descr_of(desc->result), order);
    if (result == NULL) {
        PyErr_Clear(); /* NumPy's own operation says it */
        return NULL;
    }
    n.data[0] = result->data;
    for (int d = 0; d < n.nd; d++) {
        n.strides[0][d] = result->strides[d];
    }
    coalesce(&n, order);
    if (!compute(&n, desc, (ppy_tensor_kernel)kernel, loops)) {
        Py_DECREF(result);
        return NULL;
    }
    return (PyObject *)result;
}
