/* Module-level names: cells that know the object a name means, kept right by dict watchers (3.12 and later) or by the
 * versions of the dicts (3.11). */
#include "ppy_private.h"
#include <stdlib.h>

void
ppy_forget_cells(ppy_unit *unit)
{
    for (int64_t i = 0; i < unit->ncells; i++) {
        unit->cells[i].value = NULL;
    }
}

static ppy_unit *units;

static void
list_unit(ppy_unit *unit)
{
    unit->next = units;
    units = unit;
}

/* Functions and dict of a module hold each other; with the unit's references the collector would never see that nothing else
 * holds them.  A function that can still be called keeps the dict, and so what the unit reads, alive. */
void
ppy_let_go(void)
{
    for (ppy_unit *unit = units; unit != NULL; unit = unit->next) {
        for (int64_t i = 0; !unit->let_go && i < unit->nfunctions; i++) {
            PyObject_GC_UnTrack(unit->functions[i].frame_func); /* it is never freed, and its globals are borrowed now */
            Py_DECREF(unit->dict);
        }
        if (!unit->let_go) {
            unit->let_go = 1;
            Py_DECREF(unit->dict);
        }
    }
}

#if PPY_PY311

int
ppy_watch_unit(ppy_unit *unit)
{
    unit->globals_version = unit->builtins_version = 0;
    list_unit(unit);
    return 0;
}

/* After this the cells' values hold for the dicts as they are now. */
static void
revalidate(ppy_unit *unit)
{
    uint64_t globals = ((PyDictObject *)unit->dict)->ma_version_tag;
    uint64_t builtins = ((PyDictObject *)unit->builtins)->ma_version_tag;
    if (globals != unit->globals_version || builtins != unit->builtins_version) {
        ppy_forget_cells(unit);
        unit->globals_version = globals;
        unit->builtins_version = builtins;
    }
}

/* A store or delete by the unit itself changes one cell, which the caller settles. */
static void
own_change(ppy_unit *unit)
{
    unit->globals_version = ((PyDictObject *)unit->dict)->ma_version_tag;
}

#else

static ppy_map units_of_dicts; /* module dict -> unit */
static int own_store;          /* a unit is changing its own dict and settles the cell itself */

static void
forget_name(ppy_unit *unit, PyObject *name)
{
    int interned = name != NULL && PyUnicode_CheckExact(name) && PyUnicode_CHECK_INTERNED(name);
    for (int64_t i = 0; i < unit->ncells; i++) {
        if (!interned || unit->cells[i].name == name) {
            unit->cells[i].value = NULL;
        }
    }
}

static int
on_dict_event(PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
    if (own_store) {
        return 0;
    }
    PyObject *name = event <= PyDict_EVENT_DELETED ? key : NULL;
    ppy_unit *unit = ppy_map_get(&units_of_dicts, dict);
    if (unit != NULL) {
        forget_name(unit, name);
        return 0;
    }
    for (unit = units; unit != NULL; unit = unit->next) { /* a builtins dict */
        if (unit->builtins == dict) {
            forget_name(unit, name);
        }
    }
    return 0;
}

int
ppy_watch_unit(ppy_unit *unit)
{
    static int watcher = -1;
    if (watcher < 0 && (watcher = PyDict_AddWatcher(on_dict_event)) < 0) {
        PyErr_Clear(); /* all eight are taken: cells stay empty and every load looks its name up */
        list_unit(unit);
        return 0;
    }
    if (ppy_map_put(&units_of_dicts, unit->dict, unit) < 0) {
        return -1;
    }
    if (PyDict_Watch(watcher, unit->dict) < 0 || PyDict_Watch(watcher, unit->builtins) < 0) {
        ppy_map_put(&units_of_dicts, unit->dict, NULL);
        return -1;
    }
    list_unit(unit);
    unit->watched = 1;
    return 0;
}

static void revalidate(ppy_unit *unit) {}

static void own_change(ppy_unit *unit) {}

#endif

PyObject *
ppy_global_load_slow(ppy_unit *unit, int64_t index)
{
    ppy_cell *cell = &unit->cells[index];
    revalidate(unit);
    PyObject *value = PyDict_GetItemWithError(unit->dict, cell->name);
    if (value == NULL && !PyErr_Occurred()) {
        if (!PyDict_CheckExact(unit->builtins)) {
            value = PyObject_GetItem(unit->builtins, cell->name);
            if (value == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
                PyErr_Clear();
                ppy_raise_unbound(PPY_UNBOUND_NAME, cell->name);
            }
            return value;
        }
        value = PyDict_GetItemWithError(unit->builtins, cell->name);
    }
    if (value == NULL) {
        if (!PyErr_Occurred()) {
            ppy_raise_unbound(PPY_UNBOUND_NAME, cell->name);
        }
        return NULL;
    }
#if PPY_PY311
    cell->value = value;
#else
    cell->value = unit->watched ? value : NULL;
#endif
    return Py_NewRef(value);
}

/* Stores, or deletes when value is NULL. The old value is kept alive meanwhile, so that no finalizer runs inside. */
static int
change_global(ppy_unit *unit, ppy_cell *cell, PyObject *value)
{
    revalidate(unit);
    PyObject *old = cell->value != NULL ? cell->value : PyDict_GetItemWithError(unit->dict, cell->name);
    if (old == NULL && PyErr_Occurred()) {
        return -1;
    }
    Py_XINCREF(old);
#if !PPY_PY311
    own_store++;
#endif
    int status = value != NULL ? PyDict_SetItem(unit->dict, cell->name, value) : PyDict_DelItem(unit->dict, cell->name);
#if !PPY_PY311
    own_store--;
    cell->value = status == 0 && unit->watched ? value : NULL;
#else
    cell->value = status == 0 ? value : NULL;
#endif
    own_change(unit);
    Py_XDECREF(old);
    return status;
}

int
ppy_global_store(ppy_unit *unit, int64_t index, PyObject *value)
{
    return change_global(unit, &unit->cells[index], value);
}

int
ppy_global_del(ppy_unit *unit, int64_t index)
{
    int status = change_global(unit, &unit->cells[index], NULL);
    if (status < 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        ppy_raise_unbound(PPY_UNBOUND_NAME, unit->cells[index].name);
    }
    return status;
}

/* mapping[name], or NULL without exception when it is missing. */
static PyObject *
optional_item(PyObject *mapping, PyObject *name)
{
    PyObject *value;
    if (PyDict_CheckExact(mapping)) {
        value = PyDict_GetItemWithError(mapping, name);
        return Py_XNewRef(value);
    }
    value = PyObject_GetItem(mapping, name);
    if (value == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
    }
    return value;
}

PyObject *
ppy_load_name(ppy_unit *unit, PyObject *locals, PyObject *name)
{
    PyObject *scopes[3] = {locals, unit->dict, unit->builtins};
    for (int i = 0; i < 3; i++) {
        PyObject *value = optional_item(scopes[i], name);
        if (value != NULL || PyErr_Occurred()) {
            return value;
        }
    }
    ppy_raise_unbound(PPY_UNBOUND_NAME, name);
    return NULL;
}

PyObject *
ppy_load_class_deref(PyObject *locals, PyObject *cell, PyObject *name)
{
    PyObject *value = optional_item(locals, name);
    return value != NULL || PyErr_Occurred() ? value : ppy_cell_load(cell, name, PPY_UNBOUND_FREE);
}

PyObject *
ppy_load_build_class(ppy_unit *unit)
{
    PyObject *name = PyUnicode_InternFromString("__build_class__");
    PyObject *value = name == NULL ? NULL : optional_item(unit->builtins, name);
    if (value == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_NameError, "__build_class__ not found");
    }
    Py_XDECREF(name);
    return value;
}

int
ppy_setup_annotations(PyObject *locals)
{
    PyObject *name = PyUnicode_InternFromString("__annotations__");
    PyObject *value = name == NULL ? NULL : optional_item(locals, name);
    int status = value != NULL ? 0 : -1;
    if (value == NULL && !PyErr_Occurred() && (value = PyDict_New()) != NULL) {
        status = PyObject_SetItem(locals, name, value);
    }
    Py_XDECREF(value);
    Py_XDECREF(name);
    return status;
}
