/* Numbers in registers: unboxing, boxing, and arithmetic with CPython's exact results.  Inlined into units. */

/* One digit is what most ints have: anything longer is worth a call. */
PPY_HOT_DEF ppy_i64r
ppy_unbox_i64(PyObject *o)
{
    if (PPY_LIKELY(Py_IS_TYPE(o, &PyLong_Type))) {
        int64_t n = ppy_long_ndigits(o);
        if (PPY_LIKELY(n <= 1)) {
            int64_t v = n ? (int64_t)ppy_long_digits(o)[0] : 0;
            return (ppy_i64r){ppy_long_negative(o) ? -v : v, 1};
        }
        return ppy_unbox_i64_long(o);
    }
    return (ppy_i64r){0, 0};
}

PPY_HOT_DEF ppy_i64r
ppy_unbox_u64(PyObject *o)
{
    if (PPY_LIKELY(Py_IS_TYPE(o, &PyLong_Type)) && !ppy_long_negative(o)) {
        int64_t n = ppy_long_ndigits(o);
        const digit *d = ppy_long_digits(o);
        if (n <= 1) {
            return (ppy_i64r){n ? (int64_t)d[0] : 0, 1};
        }
        if (n == 2) {
            return (ppy_i64r){(int64_t)d[1] << PyLong_SHIFT | d[0], 1};
        }
        if (n == 3 && d[2] < 16) {
            return (ppy_i64r){(int64_t)(((uint64_t)d[2] << PyLong_SHIFT | d[1]) << PyLong_SHIFT | d[0]), 1};
        }
    }
    return (ppy_i64r){0, 0};
}

PPY_HOT_DEF ppy_f64r
ppy_unbox_f64(PyObject *o)
{
    if (PPY_LIKELY(Py_IS_TYPE(o, &PyFloat_Type))) {
        return (ppy_f64r){((PyFloatObject *)o)->ob_fval, 1};
    }
    return (ppy_f64r){0.0, 0};
}

PPY_HOT_DEF ppy_i64r
ppy_unbox_bool(PyObject *o)
{
    return (ppy_i64r){o == Py_True, o == Py_True || o == Py_False};
}

PPY_HOT_DEF PyObject *
ppy_box_i64(int64_t v)
{
    return PyLong_FromLongLong(v);
}

PPY_HOT_DEF PyObject *
ppy_box_u64(uint64_t v)
{
    return PyLong_FromUnsignedLongLong(v);
}

PPY_HOT_DEF PyObject *
ppy_box_f64(double v)
{
    return PyFloat_FromDouble(v);
}

PPY_HOT_DEF PyObject *
ppy_box_bool(int64_t v)
{
    PyObject *o = v ? Py_True : Py_False;
    Py_INCREF(o);
    return o;
}

PPY_HOT_DEF ppy_i64r
ppy_i64_floordiv(int64_t a, int64_t b)
{
    if (PPY_UNLIKELY(b == 0 || (b == -1 && a == INT64_MIN))) {
        return (ppy_i64r){0, 0};
    }
    int64_t q = a / b, r = a % b;
    return (ppy_i64r){q - (r != 0 && (r ^ b) < 0), 1};
}

PPY_HOT_DEF ppy_i64r
ppy_i64_mod(int64_t a, int64_t b)
{
    if (PPY_UNLIKELY(b == 0)) {
        return (ppy_i64r){0, 0};
    }
    if (PPY_UNLIKELY(b == -1)) {
        return (ppy_i64r){0, 1};
    }
    int64_t r = a % b;
    return (ppy_i64r){r != 0 && (r ^ b) < 0 ? r + b : r, 1};
}

PPY_HOT_DEF ppy_i64r
ppy_i64_shl(int64_t a, int64_t b)
{
    if (PPY_UNLIKELY((uint64_t)b > 63)) {
        return (ppy_i64r){0, b > 0 && a == 0};
    }
    int64_t v = (int64_t)((uint64_t)a << b);
    return (ppy_i64r){v, (v >> b) == a};
}

PPY_HOT_DEF ppy_i64r
ppy_i64_shr(int64_t a, int64_t b)
{
    return (ppy_i64r){a >> (b > 63 ? 63 : b & 63), b >= 0};
}

PPY_HOT_DEF ppy_f64r
ppy_i64_truediv(int64_t a, int64_t b)
{
    const uint64_t exact = (uint64_t)1 << 53;
    if (PPY_LIKELY((uint64_t)a + exact <= 2 * exact && (uint64_t)b + exact <= 2 * exact && b != 0)) {
        return (ppy_f64r){(double)a / (double)b, 1};
    }
    return ppy_i64_truediv_big(a, b);
}

/* (high:low) divided by m, for high < m: the processor's own 128 by 64 division where it has one. */
static inline __attribute__((always_inline)) uint64_t
ppy_divmod128(uint64_t high, uint64_t low, uint64_t m, uint64_t *remainder)
{
#if defined(__x86_64__)
    uint64_t quotient;
    __asm__("divq %4" : "=a"(quotient), "=d"(*remainder) : "a"(low), "d"(high), "r"(m) : "cc");
    return quotient;
#else
    unsigned __int128 n = (unsigned __int128)high << 64 | low;
    *remainder = (uint64_t)(n % m);
    return (uint64_t)(n / m);
#endif
}

PPY_HOT_DEF ppy_i64r
ppy_u64_mulmod(uint64_t a, uint64_t b, uint64_t m)
{
    if (PPY_UNLIKELY(m == 0)) {
        return (ppy_i64r){0, 0};
    }
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t high = (uint64_t)(product >> 64);
    if (PPY_UNLIKELY(high >= m)) {
        high %= m;
    }
    uint64_t remainder;
    ppy_divmod128(high, (uint64_t)product, m, &remainder);
    return (ppy_i64r){(int64_t)remainder, 1};
}

PPY_HOT_DEF ppy_i64r
ppy_i64_mulmod(int64_t a, int64_t b, int64_t m)
{
    uint64_t ua = a < 0 ? -(uint64_t)a : (uint64_t)a, ub = b < 0 ? -(uint64_t)b : (uint64_t)b;
    uint64_t um = m < 0 ? -(uint64_t)m : (uint64_t)m;
    ppy_i64r u = ppy_u64_mulmod(ua, ub, um);
    uint64_t r = (uint64_t)u.value;
    if (r != 0 && ((a ^ b) < 0) != (m < 0)) {
        r = um - r;
    }
    return (ppy_i64r){(int64_t)(m < 0 ? -r : r), u.ok};
}

PPY_HOT_DEF int64_t
ppy_i64_bit_length(int64_t v)
{
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    return u ? 64 - __builtin_clzll(u) : 0;
}

PPY_HOT_DEF int64_t
ppy_i64_hash(int64_t v)
{
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    int64_t h = (int64_t)(u % _PyHASH_MODULUS);
    h = v < 0 ? -h : h;
    return h == -1 ? -2 : h;
}

/* -1, 0, 1 or (nan) 2: how an int compares with a float. */
static inline __attribute__((always_inline)) int
ppy_order_i64_f64(int64_t a, double b)
{
    if (b != b) {
        return 2;
    }
    if (b >= 0x1p63) {
        return -1;
    }
    if (b < -0x1p63) {
        return 1;
    }
    int64_t whole = (int64_t)b; /* toward zero */
    if (a != whole) {
        return a < whole ? -1 : 1;
    }
    double rest = b - (double)whole; /* exact: it is not 0 only below 2**53 */
    return rest > 0 ? -1 : rest < 0;
}

PPY_HOT_DEF int
ppy_cmp_i64_f64(int64_t a, double b, int op)
{
    int order = ppy_order_i64_f64(a, b);
    switch (op) {
    case Py_LT: return order == -1;
    case Py_LE: return order <= 0;
    case Py_EQ: return order == 0;
    case Py_NE: return order != 0;
    case Py_GT: return order == 1;
    default: return order == 0 || order == 1;
    }
}

PPY_HOT_DEF ppy_f64r
ppy_f64_truediv(double a, double b)
{
    if (PPY_UNLIKELY(b == 0.0)) {
        return ppy_float_raise(PPY_TRUEDIV, a, b);
    }
    return (ppy_f64r){a / b, 1};
}

/* Floor quotient and remainder as float_divmod computes them. */
static inline __attribute__((always_inline)) double
ppy_divmod_f64(double a, double b, double *remainder)
{
    double mod = __builtin_fmod(a, b);
    double div = (a - mod) / b;
    if (mod) {
        if ((b < 0) != (mod < 0)) {
            mod += b;
            div -= 1.0;
        }
    }
    else {
        mod = __builtin_copysign(0.0, b);
    }
    *remainder = mod;
    if (div) {
        double floored = __builtin_floor(div);
        return div - floored > 0.5 ? floored + 1.0 : floored;
    }
    return __builtin_copysign(0.0, a / b);
}

PPY_HOT_DEF ppy_f64r
ppy_f64_floordiv(double a, double b)
{
    double mod;
    if (PPY_UNLIKELY(b == 0.0)) {
        return ppy_float_raise(PPY_FLOORDIV, a, b);
    }
    return (ppy_f64r){ppy_divmod_f64(a, b, &mod), 1};
}

PPY_HOT_DEF ppy_f64r
ppy_f64_mod(double a, double b)
{
    if (PPY_UNLIKELY(b == 0.0)) {
        return ppy_float_raise(PPY_MOD, a, b);
    }
    double mod = __builtin_fmod(a, b);
    if (mod) {
        if ((b < 0) != (mod < 0)) {
            mod += b;
        }
    }
    else {
        mod = __builtin_copysign(0.0, b);
    }
    return (ppy_f64r){mod, 1};
}

/* A whole float as a word; false for nan. */
static inline __attribute__((always_inline)) ppy_i64r
ppy_whole_to_i64(double whole)
{
    if (PPY_LIKELY(whole >= -0x1p63 && whole < 0x1p63)) {
        return (ppy_i64r){(int64_t)whole, 1};
    }
    return (ppy_i64r){0, 0};
}

PPY_HOT_DEF ppy_i64r ppy_f64_trunc(double v) { return ppy_whole_to_i64(__builtin_trunc(v)); }
PPY_HOT_DEF ppy_i64r ppy_f64_floor(double v) { return ppy_whole_to_i64(__builtin_floor(v)); }
PPY_HOT_DEF ppy_i64r ppy_f64_ceil(double v) { return ppy_whole_to_i64(__builtin_ceil(v)); }
PPY_HOT_DEF ppy_i64r ppy_f64_round(double v) { return ppy_whole_to_i64(__builtin_rint(v)); }

PPY_HOT_DEF int
ppy_f64_is_integer(double v)
{
    return v - v == 0.0 && __builtin_floor(v) == v;
}

PPY_HOT_DEF ppy_f64r
ppy_math_sqrt(double x)
{
    if (PPY_UNLIKELY(x < 0.0)) {
        return ppy_math_call1("sqrt", x);
    }
    return (ppy_f64r){__builtin_sqrt(x), 1};
}

PPY_HOT_DEF double ppy_math_degrees(double x) { return x * (180.0 / 3.141592653589793238462643383279502884197); }
PPY_HOT_DEF double ppy_math_radians(double x) { return x * (3.141592653589793238462643383279502884197 / 180.0); }

PPY_HOT_DEF uint64_t
ppy_range_length(int64_t start, int64_t stop, int64_t step)
{
    if (step > 0) {
        return start < stop ? 1 + ((uint64_t)stop - (uint64_t)start - 1) / (uint64_t)step : 0;
    }
    return start > stop ? 1 + ((uint64_t)start - (uint64_t)stop - 1) / -(uint64_t)step : 0;
}
