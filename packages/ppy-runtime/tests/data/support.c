/* A support library as the runtime sees one: it can refuse the interpreter, and it binds functions named `answer` to an
 * entry that returns 42. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static vectorcallfunc original;

int ppy_support_check(void) { return getenv("PPY_TEST_REFUSES") != NULL; }

const char *ppy_support_reason(void) { return "not this one"; }

static PyObject *entry(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    return PyLong_FromLong(42);
}

static void install(PyObject *func, vectorcallfunc call)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyFunction_SetVectorcall((PyFunctionObject *)func, call);
#else
    ((PyFunctionObject *)func)->vectorcall = call;
#endif
}

int ppy_rebind(PyObject *func)
{
    PyFunctionObject *f = (PyFunctionObject *)func;
    if (!PyFunction_Check(func) || PyUnicode_CompareWithASCIIString(f->func_name, "answer") != 0) {
        return 0;
    }
    if (f->vectorcall != entry) {
        original = f->vectorcall;
        install(func, entry);
    }
    return 1;
}

void ppy_unbind(PyObject *func)
{
    if (((PyFunctionObject *)func)->vectorcall == entry) {
        install(func, original);
    }
}
