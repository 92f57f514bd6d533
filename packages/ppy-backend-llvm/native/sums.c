/* The sum of all values of a fused expression, which are never in memory.
 *
 * NumPy sums the array that the expression would have made: contiguous, in the order in which the operands lie. Its floats
 * are summed pairwise; the halves of that tree are computed on several threads and added as the tree says. */
#include "arrays.h"

enum { SUM_BLOCK = 128, SUM_SEGMENTS = 64, NUMPY_BUFFER = 8192 };

/* One sum. A kernel writes its own part of it into a word, as a double, a float or an integer. */
typedef struct {
    const nest *operands;
    const ppy_tensor_desc *desc;
    ppy_tensor_kernel kernel;
    const ppy_tensor_loop *loops;
    int64_t limit; /* longest segment that one thread sums */
    int64_t declined;
    int raised;
    int segments;
    struct { int64_t first, length; uint64_t sum; } segment[2 * SUM_SEGMENTS];
} summation;

static uint64_t
added(const ppy_tensor_desc *desc, uint64_t left, uint64_t right)
{
    uint64_t word = 0;
    if (desc->result == NPY_FLOAT32) {
        float a, b;
        memcpy(&a, &left, sizeof a);
        memcpy(&b, &right, sizeof b);
        a += b;
        memcpy(&word, &a, sizeof a);
        return word;
    }
    if (desc->result != NPY_FLOAT64) {
        return left + right;
    }
    double a, b;
    memcpy(&a, &left, sizeof a);
    memcpy(&b, &right, sizeof b);
    a += b;
    memcpy(&word, &a, sizeof a);
    return word;
}

/* Where a segment is cut in two. */
static int64_t
half(int64_t length)
{
    return length / 2 - length / 2 % 8;
}

static uint64_t
sum_range(summation *s, int64_t first, int64_t length, int64_t *declined)
{
    if (length > SUM_BLOCK) {
        int64_t left = half(length);
        uint64_t sum = sum_range(s, first, left, declined);
        return added(s->desc, sum, sum_range(s, first + left, length - left, declined));
    }
    const nest *n = s->operands;
    char *data[PPY_MAX_OPERANDS + 1];
    int64_t strides[PPY_MAX_OPERANDS + 1];
    uint64_t sum = 0;
    data[0] = (char *)&sum;
    strides[0] = s->desc->size;
    for (int p = 1; p < n->places; p++) {
        strides[p] = n->nd > 0 ? n->strides[p][0] : 0;
        data[p] = n->data[p] + first * strides[p];
    }
    *declined |= s->kernel(data, strides, length, s->loops);
    return sum;
}

static void
sum_segments(void *arg, int64_t lo, int64_t hi)
{
    summation *s = arg;
    int64_t declined = 0;
    feclearexcept(FE_REPORTED);
    for (int64_t i = lo; i < hi; i++) {
        s->segment[i].sum = sum_range(s, s->segment[i].first, s->segment[i].length, &declined);
    }
    __atomic_or_fetch(&s->raised, fetestexcept(FE_REPORTED), __ATOMIC_RELAXED);
    __atomic_or_fetch(&s->declined, declined, __ATOMIC_RELAXED);
}

static void
cut(summation *s, int64_t first, int64_t length)
{
    if (length <= s->limit) {
        s->segment[s->segments].first = first;
        s->segment[s->segments++].length = length;
        return;
    }
    cut(s, first, half(length));
    cut(s, first + half(length), length - half(length));
}

static uint64_t
join(summation *s, int64_t length, int *next)
{
    if (length <= s->limit) {
        return s->segment[(*next)++].sum;
    }
    uint64_t left = join(s, half(length), next);
    return added(s->desc, left, join(s, length - half(length), next));
}

/* 1: the sum is there. */
static int
sum_all(summation *s, int64_t length, uint64_t *sum)
{
    int next = 0;
    s->limit = length / SUM_SEGMENTS < SUM_BLOCK ? length : length / SUM_SEGMENTS + SUM_BLOCK;
    int64_t work = length * s->desc->cost;
    if (work < PPY_NOGIL_COST) {
        s->limit = length;
        cut(s, 0, length);
        sum_segments(s, 0, s->segments);
    } else {
        cut(s, 0, length);
        PyThreadState *state = PyEval_SaveThread();
        ppy_parallel_for(s->segments, 1 + PPY_NOGIL_COST / (1 + work / s->segments), sum_segments, s);
        PyEval_RestoreThread(state);
    }
    feclearexcept(FE_REPORTED);
    *sum = added(s->desc, 0, join(s, length, &next)); /* NumPy starts with 0: the sum of -0.0 is 0.0 */
    int raised = (s->raised | fetestexcept(FE_REPORTED)) & ~s->desc->quiet;
    feclearexcept(FE_REPORTED);
    return s->declined == 0 && (raised == 0 || ignored(raised));
}

PyObject *
ppy_tensor_sum(void *kernel, const void *description, PyObject *const *args, const int64_t *words, void *loops)
{
    const ppy_numpy *numpy = ppy_find_numpy();
    summation s = {.desc = description, .kernel = (ppy_tensor_kernel)kernel, .loops = loops};
    nest n;
    if (numpy == NULL || !gather(numpy, &n, s.desc, args, words) || !find_loops(s.desc, loops)) {
        return NULL;
    }
    int order = result_order(&n, s.desc);
    int is_float = s.desc->result == NPY_FLOAT64 || s.desc->result == NPY_FLOAT32;
    if (order < 0 || (is_float && !numpy->pairwise && n.size > NUMPY_BUFFER)) {
        return NULL;
    }
    int64_t stride = s.desc->size;
    for (int i = 0; i < n.nd; i++) { /* the array that is never made */
        int d = order ? i : n.nd - 1 - i;
        n.strides[0][d] = stride;
        stride *= n.shape[d];
    }
    coalesce(&n, order);
    uint64_t sum;
    s.operands = &n;
    if (n.nd > 1 || !sum_all(&s, n.size, &sum)) {
        return NULL;
    }
    if (s.desc->sum == PPY_SUM_MEAN) { /* NumPy divides in the type of the sum */
        double d;
        float f;
        if (s.desc->result == NPY_FLOAT32) {
            memcpy(&f, &sum, sizeof f);
            f /= (float)n.size;
            memcpy(&sum, &f, sizeof f);
        } else {
            memcpy(&d, &sum, sizeof d);
            d /= (double)n.size;
            memcpy(&sum, &d, sizeof d);
        }
    }
    ppy_descr *descr = numpy->descr_of(s.desc->result);
    PyObject *result = numpy->scalar(&sum, descr, NULL);
    Py_DECREF(descr);
    PyErr_Clear();
    return result;
}
