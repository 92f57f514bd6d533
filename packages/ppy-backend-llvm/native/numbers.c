/* Numbers: the rare and the long ways, and everything that raises. */
#include "ppy_private.h"
#include <math.h>

ppy_i64r
ppy_unbox_i64_long(PyObject *o)
{
    int64_t n = ppy_long_ndigits(o);
    const digit *d = ppy_long_digits(o);
    int negative = ppy_long_negative(o);
    if (n == 2) {
        int64_t v = (int64_t)d[1] << PyLong_SHIFT | d[0];
        return (ppy_i64r){negative ? -v : v, 1};
    }
    if (n == 3 && d[2] < 16) {
        uint64_t v = ((uint64_t)d[2] << PyLong_SHIFT | d[1]) << PyLong_SHIFT | d[0];
        if (v <= (uint64_t)INT64_MAX + (uint64_t)negative) {
            return (ppy_i64r){(int64_t)(negative ? -v : v), 1};
        }
    }
    return (ppy_i64r){0, 0};
}

PyObject *
ppy_box_i128(uint64_t low, int64_t high)
{
    if (high == (int64_t)low >> 63) {
        return PyLong_FromLongLong((int64_t)low);
    }
    uint64_t words[2] = {low, (uint64_t)high};
    return _PyLong_FromByteArray((const unsigned char *)words, sizeof words, 1, 1);
}

ppy_i64r
ppy_i64_pow(int64_t a, int64_t b)
{
    int64_t result = 1;
    if (b < 0) {
        return (ppy_i64r){0, 0};
    }
    for (;;) {
        if (b & 1 && __builtin_mul_overflow(result, a, &result)) {
            return (ppy_i64r){0, 0};
        }
        b >>= 1;
        if (b == 0) {
            return (ppy_i64r){result, 1};
        }
        if (__builtin_mul_overflow(a, a, &a)) {
            return (ppy_i64r){0, 0}; /* a further bit of b is set, so the square is needed; |a| > 1 here */
        }
    }
}

/* Correctly rounded: a quotient of at least 55 bits, a sticky bit, one rounding by the conversion to double. */
ppy_f64r
ppy_i64_truediv_big(int64_t a, int64_t b)
{
    uint64_t ua = a < 0 ? -(uint64_t)a : (uint64_t)a, ub = b < 0 ? -(uint64_t)b : (uint64_t)b;
    if (b == 0) {
        return (ppy_f64r){0.0, 0};
    }
    if (a == 0) {
        return (ppy_f64r){b < 0 ? -0.0 : 0.0, 1};
    }
    /* ua << shift is 61 bits longer than ub, so the quotient has 61 or 62 bits (63 or 64 when nothing is shifted). */
    int shift = 61 + __builtin_clzll(ua) - __builtin_clzll(ub);
    if (shift < 0) {
        shift = 0;
    }
    unsigned __int128 scaled = (unsigned __int128)ua << shift;
    uint64_t remainder, quotient = ppy_divmod128((uint64_t)(scaled >> 64), (uint64_t)scaled, ub, &remainder);
    double value = ldexp((double)(quotient | (remainder != 0)), -shift);
    return (ppy_f64r){(a ^ b) < 0 ? -value : value, 1};
}

ppy_i64r
ppy_i64_powmod(int64_t base, int64_t exponent, int64_t m)
{
    if (exponent < 0 || m == 0) {
        return (ppy_i64r){0, 0};
    }
    uint64_t um = m < 0 ? -(uint64_t)m : (uint64_t)m;
    uint64_t square = base < 0 ? -(uint64_t)base % um : (uint64_t)base % um;
    if (base < 0 && square != 0) {
        square = um - square;
    }
    uint64_t result = 1 % um;
    for (uint64_t e = (uint64_t)exponent; e != 0; e >>= 1) {
        if (e & 1) {
            result = (uint64_t)ppy_u64_mulmod(result, square, um).value;
        }
        square = (uint64_t)ppy_u64_mulmod(square, square, um).value;
    }
    return (ppy_i64r){m < 0 && result != 0 ? (int64_t)(result - um) : (int64_t)result, 1};
}

ppy_i64r
ppy_i64_gcd(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (ppy_i64r){(int64_t)x, x <= INT64_MAX};
}

ppy_i64r
ppy_i64_isqrt(int64_t n)
{
    if (n < 0) {
        return (ppy_i64r){0, 0};
    }
    int64_t root = (int64_t)sqrt((double)n);
    while (root > 3037000499 || root * root > n) {
        root--;
    }
    while (root < 3037000499 && (root + 1) * (root + 1) <= n) {
        root++;
    }
    return (ppy_i64r){root, 1};
}

/* ---- operators on objects ---- */

static PyObject *
power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

static PyObject *
inplace_power(PyObject *a, PyObject *b)
{
    return PyNumber_InPlacePower(a, b, Py_None);
}

PyObject *
ppy_binary(int op, PyObject *a, PyObject *b)
{
    static const binaryfunc table[] = {
        PyNumber_Add, PyNumber_Subtract, PyNumber_Multiply, PyNumber_TrueDivide, PyNumber_FloorDivide,
        PyNumber_Remainder, PyNumber_Divmod, power, PyNumber_Lshift, PyNumber_Rshift, PyNumber_And, PyNumber_Or,
        PyNumber_Xor, PyNumber_MatrixMultiply,
    };
    return table[op](a, b);
}

PyObject *
ppy_inplace(int op, PyObject *a, PyObject *b)
{
    static const binaryfunc table[] = {
        PyNumber_InPlaceAdd, PyNumber_InPlaceSubtract, PyNumber_InPlaceMultiply, PyNumber_InPlaceTrueDivide,
        PyNumber_InPlaceFloorDivide, PyNumber_InPlaceRemainder, PyNumber_Divmod, inplace_power, PyNumber_InPlaceLshift,
        PyNumber_InPlaceRshift, PyNumber_InPlaceAnd, PyNumber_InPlaceOr, PyNumber_InPlaceXor,
        PyNumber_InPlaceMatrixMultiply,
    };
    return table[op](a, b);
}

PyObject *
ppy_int_op(int op, int64_t a, int64_t b)
{
    PyObject *x = PyLong_FromLongLong(a), *y = PyLong_FromLongLong(b);
    PyObject *result = x == NULL || y == NULL ? NULL : ppy_binary(op, x, y);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return result;
}

void
ppy_int_raise(int op, int64_t a, int64_t b)
{
    PyObject *result = ppy_int_op(op, a, b);
    if (result != NULL) {
        Py_DECREF(result);
        PyErr_SetString(PyExc_SystemError, "ppy_int_raise: nothing to raise");
    }
}

ppy_f64r
ppy_float_raise(int op, double a, double b)
{
    PyObject *x = PyFloat_FromDouble(a), *y = PyFloat_FromDouble(b);
    PyObject *result = x == NULL || y == NULL ? NULL : ppy_binary(op, x, y);
    Py_XDECREF(x);
    Py_XDECREF(y);
    if (result == NULL) {
        return (ppy_f64r){0.0, 0};
    }
    ppy_f64r value = ppy_unbox_f64(result);
    Py_DECREF(result);
    return value.ok ? value : (ppy_f64r){0.0, -1};
}

ppy_f64r
ppy_f64_pow(double a, double b)
{
    if (b == 0.0) {
        return (ppy_f64r){1.0, 1};
    }
    if (PPY_LIKELY(isfinite(a) && isfinite(b) && a != 0.0 && (a > 0.0 || b == floor(b)))) {
        int negate = a < 0.0 && fmod(fabs(b), 2.0) == 1.0;
        double value = fabs(a) == 1.0 ? 1.0 : pow(fabs(a), b);
        if (PPY_LIKELY(isfinite(value))) {
            return (ppy_f64r){negate ? -value : value, 1};
        }
    }
    return ppy_float_raise(PPY_POW, a, b);
}

/* ---- text ---- */

PyObject *
ppy_str_i64(int64_t v)
{
    char digits[20];
    int count = 0;
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do {
        digits[count++] = (char)('0' + u % 10);
        u /= 10;
    } while (u != 0);
    PyObject *text = PyUnicode_New(count + (v < 0), 127);
    if (text != NULL) {
        char *out = (char *)PyUnicode_1BYTE_DATA(text);
        if (v < 0) {
            *out++ = '-';
        }
        while (count > 0) {
            *out++ = digits[--count];
        }
    }
    return text;
}

PyObject *
ppy_str_f64(double v)
{
    char *text = PyOS_double_to_string(v, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    PyObject *result = text == NULL ? PyErr_NoMemory() : PyUnicode_FromString(text);
    PyMem_Free(text);
    return result;
}

PyObject *
ppy_str_from_code(int64_t code_point)
{
    return PyUnicode_FromOrdinal(code_point < 0 || code_point > 0x10FFFF ? -1 : (int)code_point);
}
