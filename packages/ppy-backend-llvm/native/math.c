/* math.*: libm where CPython uses libm; whatever is not a plain finite result is left to CPython's own function. */
#include "ppy_private.h"
#include <math.h>

static ppy_f64r
call_math(const char *name, double x, double y, int two)
{
    static PyObject *module;
    if (module == NULL && (module = PyImport_ImportModule("math")) == NULL) {
        return (ppy_f64r){0.0, 0};
    }
    PyObject *result = two ? PyObject_CallMethod(module, name, "dd", x, y) : PyObject_CallMethod(module, name, "d", x);
    if (result == NULL) {
        return (ppy_f64r){0.0, 0};
    }
    double value = PyFloat_AsDouble(result);
    Py_DECREF(result);
    return (ppy_f64r){value, value != -1.0 || !PyErr_Occurred()};
}

ppy_f64r
ppy_math_call1(const char *name, double x)
{
    return call_math(name, x, 0.0, 0);
}

ppy_f64r
ppy_math_call2(const char *name, double x, double y)
{
    return call_math(name, x, y, 1);
}

#define MATH_1(name) \
    ppy_f64r \
    ppy_math_##name(double x) \
    { \
        double value = name(x); \
        if (PPY_LIKELY(isfinite(value))) { \
            return (ppy_f64r){value, 1}; \
        } \
        return ppy_math_call1(#name, x); \
    }

#define MATH_2(name) \
    ppy_f64r \
    ppy_math_##name(double x, double y) \
    { \
        if (PPY_LIKELY(isfinite(x) && isfinite(y))) { \
            double value = name(x, y); \
            if (PPY_LIKELY(isfinite(value))) { \
                return (ppy_f64r){value, 1}; \
            } \
        } \
        return ppy_math_call2(#name, x, y); \
    }

MATH_1(exp)
MATH_1(exp2)
MATH_1(expm1)
MATH_1(cbrt)
MATH_1(log)
MATH_1(log2)
MATH_1(log10)
MATH_1(log1p)
MATH_1(sin)
MATH_1(cos)
MATH_1(tan)
MATH_1(asin)
MATH_1(acos)
MATH_1(atan)
MATH_1(sinh)
MATH_1(cosh)
MATH_1(tanh)
MATH_1(asinh)
MATH_1(acosh)
MATH_1(atanh)
MATH_1(erf)
MATH_1(erfc)
MATH_2(atan2)
MATH_2(fmod)
MATH_2(pow)
