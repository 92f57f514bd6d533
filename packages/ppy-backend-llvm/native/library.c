/* Functions and classes of libraries that plugins model: whether what a program found is still what the library defined.
 *
 * A slot is a constant of a unit: (StopIteration, dotted name), which no source text can write, until an object under that
 * name was recognised; then the object follows and what can change in it.  Nothing is imported for it: an
 * object is recognised by where its code, its type or its definition comes from, so one that somebody put in the
 * library's place, before or after the program looked, is not. */
#include "ppy_private.h"
#include <dlfcn.h>

enum { NAME = 1, OBJECT, CODE /* or a class's version */, DEFAULTS, KWDEFAULTS, KNOWN };

static PyObject *
or_none(PyObject *o)
{
    return o == NULL ? Py_None : o;
}

static PyFunctionObject *
as_function(PyObject *o)
{
    return PyObject_TypeCheck(o, &PyFunction_Type) ? (PyFunctionObject *)o : NULL;
}

static int
unchanged(PyObject *known, PyObject *o)
{
    PyFunctionObject *f = as_function(o);
    if (f == NULL) {
        PyObject *version = PyTuple_GET_ITEM(known, CODE);
        return version == Py_None || PyLong_AsUnsignedLong(version) == ((PyTypeObject *)o)->tp_version_tag;
    }
    return f->func_code == PyTuple_GET_ITEM(known, CODE) && or_none(f->func_defaults) == PyTuple_GET_ITEM(known, DEFAULTS)
        && or_none(f->func_kwdefaults) == PyTuple_GET_ITEM(known, KWDEFAULTS);
}

/* ---- recognising ---- */

/* Whether `outer.inner` is the name. */
static int
spells(PyObject *outer, PyObject *inner, PyObject *name)
{
    if (outer == NULL || inner == NULL || !PyUnicode_Check(outer) || !PyUnicode_Check(inner)) {
        return 0;
    }
    PyObject *joined = PyUnicode_FromFormat("%U.%U", outer, inner);
    int same = joined != NULL && PyUnicode_Compare(joined, name) == 0;
    Py_XDECREF(joined);
    return same;
}

static PyObject * /* borrowed */
module_dict(PyObject *name)
{
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *module = PyDict_CheckExact(modules) ? PyDict_GetItemWithError(modules, name) : NULL;
    return module != NULL && PyModule_Check(module) ? PyModule_GetDict(module) : NULL;
}

/* The part of a dotted name before its first (1) or last (-1) dot; new. */
static PyObject *
before_dot(PyObject *name, int direction)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(name), dot = PyUnicode_FindChar(name, '.', 0, length, direction);
    return PyUnicode_Substring(name, 0, dot < 0 ? length : dot);
}

/* Whether a is b, or both end before the same dot. */
static int
same_top(PyObject *a, PyObject *b)
{
    PyObject *first = before_dot(a, 1), *second = before_dot(b, 1);
    int same = first != NULL && second != NULL && PyUnicode_Compare(first, second) == 0;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return same;
}

/* The module of the library by whose own text the function was made: its globals are the module's, its code lies in the
 * module's file.  NULL: by another's, or by none. */
static PyObject * /* borrowed */
made_by(PyFunctionObject *f, PyObject *name)
{
    PyObject *module = PyDict_GetItemString(f->func_globals, "__name__");
    PyObject *file = PyDict_GetItemString(f->func_globals, "__file__");
    int own = module != NULL && PyUnicode_Check(module) && file != NULL && PyUnicode_Check(file) && same_top(module, name)
        && module_dict(module) == f->func_globals
        && PyUnicode_Compare(((PyCodeObject *)f->func_code)->co_filename, file) == 0;
    return own ? module : NULL;
}

static int
is_modules_function(PyFunctionObject *f, PyObject *name)
{
    return f->func_closure == NULL && spells(made_by(f, name), ((PyCodeObject *)f->func_code)->co_qualname, name);
}

/* Whether the functions in a class's dict, those behind properties and class methods, too, are from its own library. */
static int
has_own_functions(PyTypeObject *type, PyObject *module)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(type->tp_dict, &at, &key, &value)) {
        int wrapped = Py_IS_TYPE(value, &PyClassMethod_Type) || Py_IS_TYPE(value, &PyStaticMethod_Type);
        PyObject *inner = Py_IS_TYPE(value, &PyProperty_Type) ? PyObject_GetAttrString(value, "fget")
            : wrapped                                         ? PyObject_GetAttrString(value, "__func__")
                                                              : Py_NewRef(value);
        PyFunctionObject *f = inner != NULL ? as_function(inner) : NULL;
        int own = inner != NULL && (f == NULL || made_by(f, module) != NULL);
        Py_XDECREF(inner);
        if (!own) {
            return 0;
        }
    }
    return 1;
}

static int
can_change(PyObject *o)
{
    return PyType_Check(o) && !(((PyTypeObject *)o)->tp_flags & Py_TPFLAGS_IMMUTABLETYPE);
}

/* The version of a class that can change, None where nothing can; new.  Every class between it and the built-in ones has to
 * be as the library made it. */
static PyObject *
version_of(PyObject *o, PyObject *name)
{
    if (!can_change(o)) {
        return Py_NewRef(Py_None);
    }
    PyTypeObject *type = (PyTypeObject *)o;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);
        PyObject *module = can_change((PyObject *)base) ? PyDict_GetItemString(base->tp_dict, "__module__") : NULL;
        if (can_change((PyObject *)base)
            && (module == NULL || !PyUnicode_Check(module) || !has_own_functions(base, module))) {
            return NULL;
        }
    }
    _PyType_Lookup(type, name); /* gives it a version, if there still are any */
    return type->tp_version_tag != 0 ? PyLong_FromUnsignedLong(type->tp_version_tag) : NULL;
}

static int
is_modules_type(PyTypeObject *type, PyObject *name)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return PyUnicode_CompareWithASCIIString(name, type->tp_name) == 0;
    }
    PyObject *module = PyDict_GetItemString(type->tp_dict, "__module__");
    PyObject *qualname = ((PyHeapTypeObject *)type)->ht_qualname;
    PyObject *dict = spells(module, qualname, name) ? module_dict(module) : NULL;
    return dict != NULL && PyDict_GetItemWithError(dict, qualname) == (PyObject *)type;
}

static int
is_types_method(PyMethodDescrObject *method, PyObject *name)
{
    PyObject *owner = before_dot(name, -1);
    int same = owner != NULL && is_modules_type(method->d_common.d_type, owner)
        && spells(owner, method->d_common.d_name, name);
    Py_XDECREF(owner);
    return same;
}

/* An object of a class of the library's own (a ufunc) that goes by the name's last part. */
static int
is_library_object(PyObject *o, PyObject *name)
{
    PyObject *module = PyObject_GetAttrString((PyObject *)Py_TYPE(o), "__module__");
    PyObject *own = module != NULL && PyUnicode_Check(module) ? PyObject_GetAttrString(o, "__name__") : NULL;
    PyObject *owner = before_dot(name, -1);
    int same = own != NULL && same_top(module, name) && spells(owner, own, name);
    Py_XDECREF(owner);
    Py_XDECREF(own);
    Py_XDECREF(module);
    return same;
}

static int
is_defined_as(PyObject *o, PyObject *name)
{
    PyFunctionObject *f = as_function(o);
    if (f != NULL) {
        return is_modules_function(f, name);
    }
    if (PyType_Check(o)) {
        return is_modules_type((PyTypeObject *)o, name);
    }
    if (PyCFunction_CheckExact(o)) {
        PyObject *own = PyUnicode_FromString(((PyCFunctionObject *)o)->m_ml->ml_name);
        int same = spells(((PyCFunctionObject *)o)->m_module, own, name);
        Py_XDECREF(own);
        return same;
    }
    return Py_IS_TYPE(o, &PyMethodDescr_Type) ? is_types_method((PyMethodDescrObject *)o, name) : is_library_object(o, name);
}

/* Fills the slot if o is what it names.  A function that changed since is not. */
static int
recognise(PyObject **slot, PyObject *o)
{
    PyObject *name = Py_NewRef(PyTuple_GET_ITEM(*slot, NAME)), *known = NULL;
    PyFunctionObject *f = as_function(o);
    int changed = f != NULL && PyTuple_GET_SIZE(*slot) == KNOWN && PyTuple_GET_ITEM(*slot, OBJECT) == o;
    Py_INCREF(o);
    if (!changed && is_defined_as(o, name)) {
        PyObject *changing = f != NULL ? Py_NewRef(f->func_code) : version_of(o, name);
        known = changing == NULL ? NULL
                                 : PyTuple_Pack(KNOWN, PyExc_StopIteration, name, o, changing,
                                                or_none(f != NULL ? f->func_defaults : NULL),
                                                or_none(f != NULL ? f->func_kwdefaults : NULL));
        Py_XDECREF(changing);
    }
    PyErr_Clear();
    Py_DECREF(o);
    Py_DECREF(name);
    if (known == NULL) {
        return 0;
    }
    Py_SETREF(*slot, known);
    return 1;
}

int
ppy_is_library(PyObject **slot, PyObject *o)
{
    PyObject *known = *slot;
    return PPY_LIKELY(PyTuple_GET_SIZE(known) == KNOWN && PyTuple_GET_ITEM(known, OBJECT) == o && unchanged(known, o))
        || recognise(slot, o);
}

int
ppy_is_library_instance(PyObject **slot, PyObject *o)
{
    return ppy_is_library(slot, (PyObject *)Py_TYPE(o));
}

PyObject *
ppy_module_item(PyObject *module, PyObject *name)
{
    if (!PyModule_CheckExact(module)) {
        return NULL;
    }
    PyObject *found = _PyDict_GetItem_KnownHash(PyModule_GetDict(module), name, ((PyASCIIObject *)name)->hash);
    return Py_XNewRef(found);
}

int
ppy_is_library_at(PyObject **slot, PyObject *o, PyObject *name)
{
    if (o == NULL || name == NULL) {
        return o != NULL && ppy_is_library(slot, o);
    }
    PyObject *found = ppy_module_item(o, name);
    int same = found != NULL && ppy_is_library(slot, found);
    Py_XDECREF(found);
    return same;
}

/* ---- C functions of a library: (StopIteration, module, path, symbol), then the address or None ---- */

/* The folder in which the top-level module is installed; new. */
static PyObject *
installed_in(PyObject *module)
{
    PyObject *dict = module_dict(module);
    PyObject *path = dict != NULL ? PyDict_GetItemString(dict, "__path__") : NULL;
    PyObject *place = path != NULL ? PySequence_GetItem(path, 0)
                                   : Py_XNewRef(dict != NULL ? PyDict_GetItemString(dict, "__file__") : NULL);
    PyObject *folder = NULL;
    if (place != NULL && PyUnicode_Check(place)) {
        Py_ssize_t slash = PyUnicode_FindChar(place, '/', 0, PyUnicode_GET_LENGTH(place), -1);
        folder = slash > 0 ? PyUnicode_Substring(place, 0, slash) : NULL;
    }
    Py_XDECREF(place);
    return folder;
}

static void *
find_symbol(PyObject *wanted)
{
    PyObject *folder = installed_in(PyTuple_GET_ITEM(wanted, 1));
    PyObject *path = folder != NULL ? PyUnicode_FromFormat("%U/%U", folder, PyTuple_GET_ITEM(wanted, 2)) : NULL;
    PyObject *encoded = path != NULL ? PyUnicode_EncodeFSDefault(path) : NULL;
    void *library = encoded != NULL ? dlopen(PyBytes_AS_STRING(encoded), RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *symbol = PyUnicode_AsUTF8(PyTuple_GET_ITEM(wanted, 3));
    void *found = library != NULL && symbol != NULL ? dlsym(library, symbol) : NULL;
    Py_XDECREF(encoded);
    Py_XDECREF(path);
    Py_XDECREF(folder);
    return found;
}

void *
ppy_library_symbol(PyObject **slot)
{
    if (PPY_UNLIKELY(PyTuple_CheckExact(*slot))) {
        void *found = find_symbol(*slot);
        PyObject *known = found != NULL ? PyCapsule_New(found, NULL, NULL) : Py_NewRef(Py_None);
        PyErr_Clear();
        if (known == NULL) {
            return NULL;
        }
        Py_SETREF(*slot, known);
    }
    return *slot == Py_None ? NULL : PyCapsule_GetPointer(*slot, NULL);
}
