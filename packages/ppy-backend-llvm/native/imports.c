/* import statements. */
#include "ppy_private.h"

PyObject *
ppy_import_name(ppy_unit *unit, PyObject *locals, PyObject *name, PyObject *fromlist, PyObject *level)
{
    static PyObject *import_name;
    if (import_name == NULL && (import_name = PyUnicode_InternFromString("__import__")) == NULL) {
        return NULL;
    }
    PyObject *import = PyDict_Check(unit->builtins) ? PyDict_GetItemWithError(unit->builtins, import_name) : NULL;
    if (import == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ImportError, "__import__ not found");
        }
        return NULL;
    }
    PyObject *args[6] = {NULL, name, unit->dict, locals != NULL ? locals : Py_None, fromlist, level};
    Py_INCREF(import);
    PyObject *module = PyObject_Vectorcall(import, args + 1, 5 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_DECREF(import);
    return module;
}

static PyObject *
answer_itself(PyObject *self, PyObject *unused)
{
    return Py_NewRef(self);
}

static PyMethodDef answer_method = {"__import__", answer_itself, METH_VARARGS, NULL};

/* Runs the interpreter's own `from` statement on this very module: it looks in sys.modules (circular imports) and has
 * the exact error of this Python. */
static PyObject *
run_import_from(PyObject *module, PyObject *name)
{
    PyObject *result = NULL, *code = NULL, *globals = NULL;
    PyObject *source = PyUnicode_FromFormat("from module import %U as found", name);
    PyObject *answer = PyCFunction_New(&answer_method, module);
    if (source != NULL && answer != NULL) {
        const char *text = PyUnicode_AsUTF8(source);
        code = text == NULL ? NULL : Py_CompileString(text, "<ppy import>", Py_file_input);
        globals = Py_BuildValue("{s{sO}}", "__builtins__", "__import__", answer);
    }
    if (code != NULL && globals != NULL) {
        PyObject *none = PyEval_EvalCode(code, globals, globals);
        if (none == NULL) {
            ppy_drop_outer_entry();
        }
        else {
            result = Py_XNewRef(PyDict_GetItemString(globals, "found"));
            Py_DECREF(none);
        }
    }
    Py_XDECREF(globals);
    Py_XDECREF(code);
    Py_XDECREF(answer);
    Py_XDECREF(source);
    return result;
}

PyObject *
ppy_import_from(PyObject *module, PyObject *name)
{
    PyObject *value = PyObject_GetAttr(module, name);
    if (value != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return value;
    }
    PyErr_Clear();
    return run_import_from(module, name);
}

/* The names that `import *` takes: __all__, or what __dict__ has without a leading underscore. */
static PyObject *
star_names(PyObject *module, int *all)
{
    PyObject *names = PyObject_GetAttrString(module, "__all__");
    *all = names != NULL;
    if (names != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return names;
    }
    PyErr_Clear();
    PyObject *dict = PyObject_GetAttrString(module, "__dict__");
    if (dict == NULL) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
            PyErr_SetString(PyExc_ImportError, "from-import-* object has no __dict__ and no __all__");
        }
        return NULL;
    }
    names = PyMapping_Keys(dict);
    Py_DECREF(dict);
    return names;
}

static void
star_name_type_error(PyObject *module, PyObject *name, int all)
{
    PyObject *modname = PyObject_GetAttrString(module, "__name__");
    if (modname == NULL) {
        return;
    }
    if (!PyUnicode_Check(modname)) {
        PyErr_Format(PyExc_TypeError, "module __name__ must be a string, not %.100s", Py_TYPE(modname)->tp_name);
    }
    else {
        PyErr_Format(PyExc_TypeError, "%s in %U.%s must be str, not %.100s", all ? "Item" : "Key", modname,
                     all ? "__all__" : "__dict__", Py_TYPE(name)->tp_name);
    }
    Py_DECREF(modname);
}

static int
copy_star_name(PyObject *module, PyObject *name, int all, PyObject *locals)
{
    if (!PyUnicode_Check(name)) {
        star_name_type_error(module, name, all);
        return -1;
    }
    if (!all && PyUnicode_GET_LENGTH(name) > 0 && PyUnicode_READ_CHAR(name, 0) == '_') {
        return 0;
    }
    PyObject *value = PyObject_GetAttr(module, name);
    if (value == NULL) {
        return -1;
    }
    int status = PyDict_CheckExact(locals) ? PyDict_SetItem(locals, name, value) : PyObject_SetItem(locals, name, value);
    Py_DECREF(value);
    return status;
}

int
ppy_import_star(PyObject *module, PyObject *locals)
{
    int all, status = 0;
    PyObject *names = star_names(module, &all);
    if (names == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; status == 0; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        if (name == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_IndexError)) {
                status = -1;
                break;
            }
            PyErr_Clear();
            break;
        }
        status = copy_star_name(module, name, all, locals);
        Py_DECREF(name);
    }
    Py_DECREF(names);
    return status;
}
