/* Which calls cannot look at the caller's frame: builtin functions, methods and types, by what their arguments are. */
#include "ppy_private.h"

/* Blind whatever the arguments; when every argument is a plain scalar; when the arguments after self are; when the one
 * argument is an exact builtin container or text. */
enum { ALWAYS = 1, PLAIN = 2, PLAIN_AFTER_SELF = 3, SIZED = 4, CLASS_TEST = 5 };

static ppy_map blind_callables; /* PyMethodDef* or type -> kind */

static int
is_plain(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    return type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type
        || type == &PyBytes_Type || type == &PyComplex_Type || o == Py_None;
}

static int
is_sized(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    return type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type || type == &PyUnicode_Type
        || type == &PyBytes_Type || type == &PyByteArray_Type || type == &PySet_Type || type == &PyFrozenSet_Type
        || type == &PyRange_Type;
}

static void
add(const void *key, int kind)
{
    if (key != NULL && ppy_map_put(&blind_callables, key, (void *)(uintptr_t)kind) < 0) {
        PyErr_Clear();
    }
}

static void
add_function(PyObject *module, const char *name, int kind)
{
    PyObject *function = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    if (function != NULL && Py_IS_TYPE(function, &PyCFunction_Type)) {
        add(((PyCFunctionObject *)function)->m_ml, kind);
    }
    Py_XDECREF(function);
    PyErr_Clear();
}

static void
add_methods(PyTypeObject *type, const char *const *names, int kind)
{
    for (PyMethodDef *method = type->tp_methods; method != NULL && method->ml_name != NULL; method++) {
        int wanted = names == NULL;
        for (int i = 0; !wanted && names[i] != NULL; i++) {
            wanted = strcmp(names[i], method->ml_name) == 0;
        }
        if (wanted) {
            add(method, kind);
        }
    }
}

static void
add_module_functions(const char *name, int kind)
{
    PyObject *key, *value, *module = PyImport_ImportModule(name);
    Py_ssize_t position = 0;
    while (module != NULL && PyDict_Next(PyModule_GetDict(module), &position, &key, &value)) {
        if (Py_IS_TYPE(value, &PyCFunction_Type)) {
            add(((PyCFunctionObject *)value)->m_ml, kind);
        }
    }
    Py_XDECREF(module);
    PyErr_Clear();
}

static void
fill(void)
{
    static const char *const list_always[] = {"append", "pop", "insert", "reverse", "copy", NULL};
    static const char *const dict_always[] = {"keys", "values", "items", "copy", NULL};
    static const char *const dict_keyed[] = {"get", "pop", "setdefault", NULL};
    static const char *const set_keyed[] = {"add", "discard", NULL};
    static const char *const plain_functions[] = {"abs", "bin",  "chr", "divmod", "format", "hash", "hex",
                                                  "max", "min",  "oct", "ord",    "pow",    "repr", "round",
                                                  "ascii", NULL};
    static PyTypeObject *const plain_types[] = {&PyLong_Type,  &PyFloat_Type,   &PyBool_Type,  &PyUnicode_Type,
                                                &PyBytes_Type, &PyComplex_Type, &PyRange_Type, NULL};
    PyObject *builtins = PyImport_ImportModule("builtins"), *time = PyImport_ImportModule("time");
    for (int i = 0; plain_functions[i] != NULL; i++) {
        add_function(builtins, plain_functions[i], PLAIN);
    }
    for (int i = 0; plain_types[i] != NULL; i++) {
        add(plain_types[i], PLAIN);
    }
    add_function(builtins, "len", SIZED);
    add_function(builtins, "id", ALWAYS);
    add_function(builtins, "callable", ALWAYS);
    add_function(builtins, "isinstance", CLASS_TEST);
    add_function(time, "perf_counter", ALWAYS);
    add_function(time, "perf_counter_ns", ALWAYS);
    add_function(time, "monotonic", ALWAYS);
    add_function(time, "time", ALWAYS);
    add_methods(&PyUnicode_Type, NULL, PLAIN);
    add_methods(&PyBytes_Type, NULL, PLAIN);
    add_methods(&PyLong_Type, NULL, PLAIN);
    add_methods(&PyFloat_Type, NULL, PLAIN);
    add_methods(&PyList_Type, list_always, ALWAYS);
    add_methods(&PyDict_Type, dict_always, ALWAYS);
    add_methods(&PyDict_Type, dict_keyed, PLAIN_AFTER_SELF);
    add_methods(&PySet_Type, set_keyed, PLAIN_AFTER_SELF);
    add_module_functions("math", PLAIN);
    Py_XDECREF(builtins);
    Py_XDECREF(time);
    PyErr_Clear();
}

int
ppy_frame_blind(PyObject *callable, PyObject *const *args, int64_t nargs)
{
    int bound = Py_IS_TYPE(callable, &PyCFunction_Type);
    const void *key = bound                                          ? (const void *)((PyCFunctionObject *)callable)->m_ml
                      : Py_IS_TYPE(callable, &PyMethodDescr_Type) ? (const void *)((PyMethodDescrObject *)callable)->d_method
                      : Py_IS_TYPE(callable, &PyType_Type)        ? (const void *)callable
                                                                  : NULL;
    if (key == NULL) {
        return 0;
    }
    if (blind_callables.keys == NULL) {
        fill();
    }
    int kind = (int)(uintptr_t)ppy_map_get(&blind_callables, key);
    if (kind == ALWAYS || kind == 0) {
        return kind == ALWAYS;
    }
    if (kind == SIZED) {
        return nargs == 1 && is_sized(args[0]);
    }
    if (kind == CLASS_TEST) {
        return nargs == 2 && Py_IS_TYPE(args[1], &PyType_Type);
    }
    int64_t first = kind == PLAIN_AFTER_SELF && !bound;
    for (int64_t i = first; i < nargs; i++) {
        if (!is_plain(args[i])) {
            return 0;
        }
    }
    /* the self of a bound method counts as an argument, except that of a container's method and of a module function */
    return kind == PLAIN_AFTER_SELF || !bound || ((PyCFunctionObject *)callable)->m_self == NULL
        || PyModule_Check(((PyCFunctionObject *)callable)->m_self) || is_plain(((PyCFunctionObject *)callable)->m_self);
}
