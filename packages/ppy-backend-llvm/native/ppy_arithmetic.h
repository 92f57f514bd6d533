/* Arithmetic of words and doubles as CPython's of ints and floats: the grammar and the conventions are those of ppy_support.h. */
#ifndef PPY_ARITHMETIC_H
#define PPY_ARITHMETIC_H

/* ---- integer arithmetic on words ------------------------------------------------------------------------------------ */

/* Floor division and remainder; ok == 0: b is 0, or INT64_MIN // -1. */
PPY_HOT(OK) ppy_i64r ppy_i64_floordiv(int64_t a, int64_t b);
PPY_HOT(OK) ppy_i64r ppy_i64_mod(int64_t a, int64_t b);
/* a << b; ok == 0: b negative or the result does not fit.  a >> b; ok == 0: b negative. */
PPY_HOT(OK) ppy_i64r ppy_i64_shl(int64_t a, int64_t b);
PPY_HOT(OK) ppy_i64r ppy_i64_shr(int64_t a, int64_t b);
/* a ** b; ok == 0: b negative or the result does not fit. */
PPY_COLD(OK) ppy_i64r ppy_i64_pow(int64_t a, int64_t b);
/* a / b as CPython rounds it, for any two words; ok == 0: b is 0. */
PPY_HOT(OK) ppy_f64r ppy_i64_truediv(int64_t a, int64_t b);
PPY_COLD(OK) ppy_f64r ppy_i64_truediv_big(int64_t a, int64_t b);
/* a * b % m with a 128-bit product and Python's sign; ok == 0: m is 0. */
PPY_HOT(OK) ppy_i64r ppy_i64_mulmod(int64_t a, int64_t b, int64_t m);
PPY_HOT(OK) ppy_i64r ppy_u64_mulmod(uint64_t a, uint64_t b, uint64_t m);
/* pow(base, exponent, m); ok == 0: exponent negative or m == 0. */
PPY_COLD(OK) ppy_i64r ppy_i64_powmod(int64_t base, int64_t exponent, int64_t m);
PPY_COLD(OK) ppy_i64r ppy_i64_gcd(int64_t a, int64_t b);
PPY_COLD(OK) ppy_i64r ppy_i64_isqrt(int64_t n); /* ok == 0: n negative */
PPY_HOT(NOFAIL) int64_t ppy_i64_bit_length(int64_t v);
PPY_HOT(NOFAIL) int64_t ppy_i64_hash(int64_t v);
/* Comparison as Python's of an int and a float; op is Py_LT, Py_LE, Py_EQ, Py_NE, Py_GT, Py_GE (0..5). */
PPY_HOT(NOFAIL) int ppy_cmp_i64_f64(int64_t a, double b, int op);
/* Raises what CPython raises for `a op b` (a zero divisor, a negative shift count, ...). */
PPY_COLD(FAILS) void ppy_int_raise(int op, int64_t a, int64_t b);
/* `a op b` on boxed words: the cold edge of an overflow guard. */
PPY_COLD(NEW) PyObject *ppy_int_op(int op, int64_t a, int64_t b);

/* ---- float arithmetic ----------------------------------------------------------------------------------------------- */

/* Raises what CPython raises for `a op b` on floats, or computes it; ok == 0. */
PPY_COLD(RAISES) ppy_f64r ppy_float_raise(int op, double a, double b);
PPY_HOT(RAISES) ppy_f64r ppy_f64_truediv(double a, double b);
PPY_HOT(RAISES) ppy_f64r ppy_f64_floordiv(double a, double b);
PPY_HOT(RAISES) ppy_f64r ppy_f64_mod(double a, double b);
/* ok == -1: the result is complex. */
PPY_COLD(MIXED) ppy_f64r ppy_f64_pow(double a, double b);
/* Truncation (int(x)), floor, ceil, round(x) to even; ok == 0: nan, infinite or outside a word. */
PPY_HOT(OK) ppy_i64r ppy_f64_trunc(double v);
PPY_HOT(OK) ppy_i64r ppy_f64_floor(double v);
PPY_HOT(OK) ppy_i64r ppy_f64_ceil(double v);
PPY_HOT(OK) ppy_i64r ppy_f64_round(double v);
PPY_HOT(NOFAIL) int ppy_f64_is_integer(double v);

/* ---- math.*: those where libm plus CPython's checks give CPython's bits and errors ----------------------------------
 *
 * fabs, copysign, isnan, isinf, isfinite, floor, ceil, trunc need no function here (ppy_f64_*).  Left to CPython's own
 * function, because it does not use libm: gamma lgamma hypot dist fsum prod comb perm factorial nextafter ulp remainder,
 * log with a base, frexp modf ldexp. */
PPY_HOT(RAISES) ppy_f64r ppy_math_sqrt(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_exp(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_exp2(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_expm1(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_cbrt(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_log(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_log2(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_log10(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_log1p(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_sin(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_cos(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_tan(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_asin(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_acos(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_atan(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_sinh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_cosh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_tanh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_asinh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_acosh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_atanh(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_erf(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_erfc(double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_atan2(double y, double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_fmod(double x, double y);
PPY_COLD(RAISES) ppy_f64r ppy_math_pow(double x, double y);
PPY_HOT(NOFAIL) double ppy_math_degrees(double x);
PPY_HOT(NOFAIL) double ppy_math_radians(double x);
/* CPython's own math.<name>(x[, y]): exact result or exact error. */
PPY_COLD(RAISES) ppy_f64r ppy_math_call1(const char *name, double x);
PPY_COLD(RAISES) ppy_f64r ppy_math_call2(const char *name, double x, double y);

#endif
