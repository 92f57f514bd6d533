/* Function objects that stay themselves and call native code.
 *
 * 3.12 and later: the vector call of the object is replaced, and a function watcher binds functions that Python-run code
 * creates and gives an object back when its __code__ is assigned.  3.11 has neither hook that call sites honour: the object
 * becomes an instance of a static subtype of the function type, which looks like the function type itself. */
#include "ppy_private.h"

static ppy_map functions_of_codes;

static ppy_function *
function_of(PyObject *func)
{
    ppy_function *fn = ppy_map_get(&functions_of_codes, ((PyFunctionObject *)func)->func_code);
    return fn != NULL && fn->entry != NULL ? fn : NULL;
}

/* ---- binding ---- */

#if PPY_PY311

static PyObject *
reduce_function(PyObject *self, PyObject *unused)
{
    return PyObject_GetAttrString(self, "__qualname__"); /* pickled by name, copied as itself */
}

static PyObject *
class_of_function(PyObject *self, void *unused)
{
    return Py_NewRef(&PyFunction_Type);
}

static PyMethodDef function_methods[] = {{"__reduce__", reduce_function, METH_NOARGS, NULL}, {NULL}};
static PyGetSetDef function_getset[] = {{"__class__", class_of_function, NULL, NULL, NULL}, {NULL}};
PyTypeObject ppy_function_type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "function"};

int
ppy_functions_ready(void)
{
    const PyTypeObject *base = &PyFunction_Type;
    PyTypeObject *type = &ppy_function_type;
    if (type->tp_flags & Py_TPFLAGS_READY) {
        return 0;
    }
    type->tp_base = &PyFunction_Type;
    type->tp_basicsize = base->tp_basicsize;
    type->tp_dictoffset = base->tp_dictoffset;
    type->tp_weaklistoffset = base->tp_weaklistoffset;
    type->tp_vectorcall_offset = base->tp_vectorcall_offset;
    type->tp_call = base->tp_call;
    type->tp_dealloc = base->tp_dealloc;
    type->tp_traverse = base->tp_traverse;
    type->tp_clear = base->tp_clear;
    type->tp_repr = base->tp_repr;
    type->tp_descr_get = base->tp_descr_get;
    type->tp_doc = base->tp_doc;
    type->tp_methods = function_methods;
    type->tp_getset = function_getset;
    type->tp_flags = base->tp_flags & ~(Py_TPFLAGS_READY | Py_TPFLAGS_READYING | Py_TPFLAGS_VALID_VERSION_TAG);
    /* The type's own __doc__ would hide the function's, which is a member of the base. */
    return PyType_Ready(type) < 0 || PyDict_DelItemString(type->tp_dict, "__doc__") < 0 ? -1 : 0;
}

static int
bind_function(PyFunctionObject *func, ppy_function *fn)
{
    if (!Py_IS_TYPE(func, &PyFunction_Type) || func->vectorcall != ppy_original_vectorcall) {
        return 0;
    }
    func->vectorcall = fn->entry;
    func->func_version = 0;
    Py_SET_TYPE(func, &ppy_function_type);
    return 1;
}

void
ppy_unbind(PyObject *func)
{
    if (Py_IS_TYPE(func, &ppy_function_type)) {
        ((PyFunctionObject *)func)->vectorcall = ppy_original_vectorcall;
        ((PyFunctionObject *)func)->func_version = 0;
        Py_SET_TYPE(func, &PyFunction_Type);
    }
}

static void bind_value(ppy_unit *unit, PyObject *value, int depth);

static void
bind_attribute(ppy_unit *unit, PyObject *value, const char *name, int depth)
{
    PyObject *inner = PyObject_GetAttrString(value, name);
    if (inner == NULL) {
        PyErr_Clear();
        return;
    }
    bind_value(unit, inner, depth);
    Py_DECREF(inner);
}

static void
bind_dict(ppy_unit *unit, PyObject *dict, int depth)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(dict, &position, &key, &value)) {
        bind_value(unit, value, depth);
    }
}

static void
bind_value(ppy_unit *unit, PyObject *value, int depth)
{
    if (Py_IS_TYPE(value, &PyFunction_Type)) {
        ppy_bind(unit, value);
    }
    else if (depth <= 0) {
        return;
    }
    else if (Py_IS_TYPE(value, &PyStaticMethod_Type) || Py_IS_TYPE(value, &PyClassMethod_Type)) {
        bind_attribute(unit, value, "__func__", depth - 1);
    }
    else if (Py_IS_TYPE(value, &PyProperty_Type)) {
        bind_attribute(unit, value, "fget", depth - 1);
        bind_attribute(unit, value, "fset", depth - 1);
        bind_attribute(unit, value, "fdel", depth - 1);
    }
    else if (PyType_Check(value) && PyType_HasFeature((PyTypeObject *)value, Py_TPFLAGS_HEAPTYPE)) {
        bind_dict(unit, ((PyTypeObject *)value)->tp_dict, depth - 1);
    }
}

void
ppy_bind_namespace(ppy_unit *unit, PyObject *class_or_dict)
{
    if (PyDict_Check(class_or_dict)) {
        bind_dict(unit, class_or_dict, 8);
    }
    else {
        bind_value(unit, class_or_dict, 8);
    }
}

#else

static int
on_function_event(PyFunction_WatchEvent event, PyFunctionObject *func, PyObject *unused)
{
    if (event == PyFunction_EVENT_CREATE) {
        ppy_function *fn = ppy_binding_off ? NULL : function_of((PyObject *)func);
        if (fn != NULL) {
            PyFunction_SetVectorcall(func, fn->entry);
        }
    }
    else if (event == PyFunction_EVENT_MODIFY_CODE) {
        ppy_unbind((PyObject *)func);
    }
    return 0;
}

int
ppy_functions_ready(void)
{
    static int done;
    if (!done && PyFunction_AddWatcher(on_function_event) < 0) {
        return -1;
    }
    done = 1;
    return 0;
}

static int
bind_function(PyFunctionObject *func, ppy_function *fn)
{
    if (!PyFunction_Check(func)) {
        return 0;
    }
    if (func->vectorcall == ppy_original_vectorcall) {
        PyFunction_SetVectorcall(func, fn->entry);
    }
    return func->vectorcall == fn->entry;
}

void
ppy_unbind(PyObject *func)
{
    ppy_function *fn = PyFunction_Check(func) ? function_of(func) : NULL;
    if (fn != NULL && ((PyFunctionObject *)func)->vectorcall == fn->entry) {
        PyFunction_SetVectorcall((PyFunctionObject *)func, ppy_original_vectorcall);
    }
}

void
ppy_bind_namespace(ppy_unit *unit, PyObject *class_or_dict)
{
}

#endif

int
ppy_rebind(PyObject *func)
{
    ppy_function *fn = Py_IS_TYPE(func, &PyFunction_Type) ? function_of(func) : NULL;
    return fn != NULL && bind_function((PyFunctionObject *)func, fn);
}

int
ppy_bind(ppy_unit *unit, PyObject *func)
{
    ppy_function *fn = Py_IS_TYPE(func, &PyFunction_Type) ? function_of(func) : NULL;
    return fn != NULL && fn->unit == unit && ppy_rebind(func);
}

int
ppy_register_functions(ppy_unit *unit)
{
    for (int64_t i = 0; i < unit->nfunctions; i++) {
        if (ppy_map_put(&functions_of_codes, unit->functions[i].code, &unit->functions[i]) < 0) {
            return -1;
        }
#if !PPY_PY311
        /* MAKE_FUNCTION gives a new function the version of its code after the watcher has bound it, and call sites that
         * know a version call past the vector call: a code without a version has none to give. */
        unit->functions[i].code->co_version = 0;
#endif
    }
    return 0;
}

void
ppy_forget_functions(ppy_unit *unit)
{
    for (int64_t i = 0; i < unit->nfunctions; i++) {
        PyCodeObject *code = unit->functions[i].code;
        if (code != NULL && ppy_map_get(&functions_of_codes, code) != NULL) {
            ppy_map_put(&functions_of_codes, code, NULL); /* its key is there: nothing is allocated */
        }
    }
}

PyObject *
ppy_make_function(ppy_unit *unit, int64_t code_index, PyObject *defaults, PyObject *kwdefaults, PyObject *annotations,
                  PyObject *closure)
{
    PyFunctionObject *func = (PyFunctionObject *)PyFunction_New((PyObject *)unit->codes[code_index], unit->dict);
    if (func == NULL) {
        return NULL;
    }
    /* As MAKE_FUNCTION does: straight into the fields. */
    func->func_defaults = Py_XNewRef(defaults);
    func->func_kwdefaults = Py_XNewRef(kwdefaults);
    func->func_annotations = Py_XNewRef(annotations);
    func->func_closure = Py_XNewRef(closure);
    if (unit->by_code[code_index] != NULL && unit->by_code[code_index]->entry != NULL) {
        bind_function(func, unit->by_code[code_index]);
    }
    return (PyObject *)func;
}

/* ---- calls from Python ---- */

PyObject *
ppy_func_kwdefault(PyObject *func, PyObject *name)
{
    PyObject *defaults = ((PyFunctionObject *)func)->func_kwdefaults;
    PyObject *value = defaults == NULL ? NULL : PyDict_GetItemWithError(defaults, name);
    if (value == NULL) {
        PyErr_Clear();
    }
    return value;
}

PyObject *
ppy_call_original(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    return ppy_original_vectorcall(func, args, nargsf, kwnames);
}

/* The slot that a keyword fills, or -1. */
static int64_t
keyword_slot(PyCodeObject *code, PyObject *name)
{
    PyObject **names = ((PyTupleObject *)code->co_localsplusnames)->ob_item;
    int64_t total = code->co_argcount + code->co_kwonlyargcount;
    for (int64_t i = code->co_posonlyargcount; i < total; i++) {
        if (names[i] == name) {
            return i;
        }
    }
    for (int64_t i = code->co_posonlyargcount; i < total; i++) {
        if (PyUnicode_CheckExact(name) && _PyUnicode_Equal(names[i], name)) {
            return i;
        }
    }
    return -1;
}

static int
bind_keywords(PyCodeObject *code, PyObject *const *values, PyObject *kwnames, PyObject **out, PyObject *extra)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); i++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, i);
        int64_t slot = keyword_slot(code, name);
        if (slot >= 0 ? out[slot] != NULL
                      : extra == NULL || !PyUnicode_CheckExact(name) || PyDict_SetItem(extra, name, values[i]) < 0) {
            return -1;
        }
        if (slot >= 0) {
            out[slot] = values[i];
        }
    }
    return 0;
}

static int
bind_missing(PyCodeObject *code, PyObject *func, PyObject **out)
{
    PyObject **names = ((PyTupleObject *)code->co_localsplusnames)->ob_item;
    for (int64_t i = 0; i < code->co_argcount; i++) {
        if (out[i] == NULL && (out[i] = ppy_func_default(func, i)) == NULL) {
            return -1;
        }
    }
    for (int64_t i = code->co_argcount; i < code->co_argcount + code->co_kwonlyargcount; i++) {
        if (out[i] == NULL && (out[i] = ppy_func_kwdefault(func, names[i])) == NULL) {
            return -1;
        }
    }
    return 0;
}

int
ppy_bind_args(ppy_function *fn, PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames, PyObject **out)
{
    PyCodeObject *code = fn->code;
    int64_t given = PyVectorcall_NARGS(nargsf), positional = code->co_argcount;
    int64_t total = positional + code->co_kwonlyargcount;
    PyObject *rest = NULL, *extra = NULL;
    if (given > positional && !(fn->flags & PPY_FN_VARARGS)) {
        return -1;
    }
    for (int64_t i = 0; i < total; i++) {
        out[i] = i < given && i < positional ? args[i] : NULL;
    }
    if (fn->flags & PPY_FN_VARKEYWORDS && (extra = PyDict_New()) == NULL) {
        goto misfit;
    }
    if ((kwnames != NULL && bind_keywords(code, args + given, kwnames, out, extra) < 0)
        || bind_missing(code, func, out) < 0) {
        goto misfit;
    }
    if (fn->flags & PPY_FN_VARARGS) {
        rest = ppy_make_tuple((PyObject **)args + (given < positional ? given : positional),
                              given < positional ? 0 : given - positional);
        if (rest == NULL) {
            goto misfit;
        }
        out[total++] = rest;
    }
    if (extra != NULL) {
        out[total] = extra;
    }
    return 0;
misfit:
    Py_XDECREF(extra);
    PyErr_Clear();
    return -1;
}
