/* A unit as the runtime sees one: runs the module's code in its dict, after leaving a mark there.  A module whose dict
 * already has `refuse` set is refused; one with `late` raises only after its code ran. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *ppy_unit(PyObject *dict, PyObject *code, PyObject *name)
{
    if (PyDict_GetItemString(dict, "refuse") != NULL) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyDict_SetItemString(dict, "native", name) < 0) {
        return NULL;
    }
    PyObject *result = PyEval_EvalCode(code, dict, dict);
    Py_XDECREF(result);
    return result == NULL ? NULL : Py_NewRef(Py_None);
}
