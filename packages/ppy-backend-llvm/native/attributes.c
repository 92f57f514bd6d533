/* Attributes and methods through inline caches.
 *
 * A cache belongs to one operation of one body.  It remembers where the last object had the attribute, under the guards
 * that CPython's own specialised instructions check: the version of the type (which changes with anything a look-up in the
 * class could notice), and whether the object still keeps its values where it did.  A hit runs no Python code, so the frame
 * is entered only before the general operation, which then teaches the cache.  Where nothing can be remembered, and after
 * each lesson, the cache is left alone for a while: a site that sees many types must not pay for learning each time. */
#include "ppy_private.h"
#include <structmember.h>

enum {
    NOTHING,
    VALUE, /* among the object's values, at index place */
    ENTRY, /* in the object's dict, at entry place */
    SLOT,  /* in the object, at offset place */
    CLASS, /* value, of the object's class, unless the object hides it */
    OWN    /* value, of the object, which is a class of version guard */
};
enum { PAUSE = 15, NOWHERE = UINT32_MAX, LONGEST_SCAN = 1000 };

/* ---- where an object keeps its attributes ---- */

/* The object's values, which lie in the order of its type's keys; NULL: in a dict, or nowhere. */
static inline PyDictValues *
object_values(PyObject *o, PyTypeObject *type)
{
#if PPY_PY311
    return type->tp_flags & Py_TPFLAGS_MANAGED_DICT ? *_PyObject_ValuesPointer(o) : NULL;
#elif PPY_PY312
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        return NULL;
    }
    PyDictOrValues found = *_PyObject_DictOrValuesPointer(o);
    return _PyDictOrValues_IsValues(found) ? _PyDictOrValues_GetValues(found) : NULL;
#else
    if (!(type->tp_flags & Py_TPFLAGS_INLINE_VALUES)) {
        return NULL;
    }
    PyDictValues *values = _PyObject_InlineValues(o);
    return values->valid ? values : NULL;
#endif
}

/* The object's dict, if it has one by now. */
static inline PyDictObject *
object_dict(PyObject *o, PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        return type->tp_dictoffset > 0 ? *(PyDictObject **)((char *)o + type->tp_dictoffset) : NULL;
    }
#if PPY_PY311
    return (PyDictObject *)*_PyObject_ManagedDictPointer(o);
#elif PPY_PY312
    PyDictOrValues found = *_PyObject_DictOrValuesPointer(o);
    return _PyDictOrValues_IsValues(found) ? NULL : (PyDictObject *)_PyDictOrValues_GetDict(found);
#else
    return _PyObject_GetManagedDict(o);
#endif
}

static inline PyDictKeysObject *
type_keys(PyTypeObject *type)
{
    return ((PyHeapTypeObject *)type)->ht_cached_keys;
}

static inline PyObject *
entry_value(PyDictObject *dict, PyObject *name, uint32_t place)
{
    PyDictKeysObject *keys = dict->ma_keys;
    if (!DK_IS_UNICODE(keys) || place >= (size_t)keys->dk_nentries || DK_UNICODE_ENTRIES(keys)[place].me_key != name) {
        return NULL;
    }
    return dict->ma_values != NULL ? dict->ma_values->values[place] : DK_UNICODE_ENTRIES(keys)[place].me_value;
}

/* Whether the object itself may have the attribute, which its class had.  Keys of a type are only ever appended. */
static inline int
hidden(PyObject *o, PyTypeObject *type, PyObject *name, const ppy_attr_cache *cache)
{
    PyDictValues *values = object_values(o, type);
    if (values != NULL) {
        return type_keys(type)->dk_nentries != (Py_ssize_t)cache->guard
            || (cache->place != NOWHERE && values->values[cache->place] != NULL);
    }
    PyDictObject *dict = object_dict(o, type);
    return dict != NULL
        && (!DK_IS_UNICODE(dict->ma_keys)
            || _PyDict_GetItem_KnownHash((PyObject *)dict, name, ((PyASCIIObject *)name)->hash) != NULL);
}

/* ---- hits ---- */

/* What a class's attribute is for the object, or for the class itself (object NULL). */
static inline PyObject *
bound(PyObject *value, PyObject *object, PyObject *type)
{
    descrgetfunc get = Py_TYPE(value)->tp_descr_get;
    return get == NULL ? Py_NewRef(value) : get(value, object, type);
}

static inline int
is_method(PyObject *value)
{
    return (Py_TYPE(value)->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR) != 0;
}

/* The attribute, new, if the cache knows it; unbound (NULL: not wanted) tells of a method that it still takes the object. */
static inline __attribute__((always_inline)) PyObject *
cached(PyObject *o, PyObject *name, const ppy_attr_cache *cache, int *unbound)
{
    PyTypeObject *type = Py_TYPE(o);
    if (PPY_UNLIKELY(type->tp_version_tag != cache->type_version)) {
        return NULL;
    }
    switch (cache->kind) {
    case VALUE: {
        PyDictValues *values = object_values(o, type);
        return values == NULL ? NULL : Py_XNewRef(values->values[cache->place]);
    }
    case ENTRY: {
        PyDictObject *dict = object_dict(o, type);
        return dict == NULL ? NULL : Py_XNewRef(entry_value(dict, name, cache->place));
    }
    case SLOT:
        return Py_XNewRef(*(PyObject **)((char *)o + cache->place));
    case CLASS:
        if (hidden(o, type, name, cache)) {
            return NULL;
        }
        if (unbound != NULL && is_method(cache->value)) {
            *unbound = 1;
            return Py_NewRef(cache->value);
        }
        return bound(cache->value, o, (PyObject *)type);
    case OWN:
        return ((PyTypeObject *)o)->tp_version_tag != cache->guard ? NULL : bound(cache->value, NULL, o);
    default:
        return NULL;
    }
}

/* Stores the value where the cache knows: 1 done, 0 it does not, -1 exception. */
static inline int
cached_store(PyObject *o, PyObject *name, PyObject *value, const ppy_attr_cache *cache)
{
    PyTypeObject *type = Py_TYPE(o);
    if (PPY_UNLIKELY(type->tp_version_tag != cache->type_version)) {
        return 0;
    }
    PyObject **at;
    if (cache->kind == VALUE) {
        PyDictValues *values = object_values(o, type);
#if PPY_PY313
        if (values == NULL || _PyObject_GetManagedDict(o) != NULL) {
#else
        if (values == NULL) {
#endif
            return 0;
        }
        at = &values->values[cache->place];
        if (*at == NULL) {
            _PyDictValues_AddToInsertionOrder(values, cache->place);
        }
    }
    else if (cache->kind == SLOT) {
        at = (PyObject **)((char *)o + cache->place);
    }
    else if (cache->kind == ENTRY) {
        PyDictObject *dict = object_dict(o, type);
        if (dict == NULL || !DK_IS_UNICODE(dict->ma_keys)) {
            return 0;
        }
        Py_INCREF(dict);
        int status = PyDict_SetItem((PyObject *)dict, name, value);
        Py_DECREF(dict);
        return status < 0 ? -1 : 1;
    }
    else {
        return 0;
    }
    PyObject *old = *at;
    *at = Py_NewRef(value);
    Py_XDECREF(old);
    return 1;
}

/* ---- lessons ---- */

/* Index of an equal name among keys that are all strings; NOWHERE: not there. */
static uint32_t
place_of(PyDictKeysObject *keys, PyObject *name)
{
    for (Py_ssize_t i = 0; i < keys->dk_nentries; i++) {
        PyObject *key = DK_UNICODE_ENTRIES(keys)[i].me_key;
        if (key == name || (key != NULL && !PyUnicode_CHECK_INTERNED(key) && PyUnicode_Compare(key, name) == 0)) {
            return (uint32_t)i;
        }
    }
    return NOWHERE;
}

/* A member made by __slots__: anybody's object at a fixed place. */
static ppy_attr_cache
learn_slot(PyTypeObject *type, PyObject *descriptor)
{
    PyMemberDef *member = ((PyMemberDescrObject *)descriptor)->d_member;
    int fits = member->type == T_OBJECT_EX && member->flags == 0 && member->offset > 0
        && PyType_IsSubtype(type, PyDescr_TYPE(descriptor));
    return fits ? (ppy_attr_cache){.kind = SLOT, .place = (uint32_t)member->offset} : (ppy_attr_cache){0};
}

/* Where the object itself has the attribute: NOTHING when it has not.  Leaves in guard and place what tells an object of
 * this type that still has not. */
static ppy_attr_cache
learn_own(PyObject *o, PyTypeObject *type, PyObject *name)
{
    ppy_attr_cache found = {.place = NOWHERE};
    PyDictValues *values = object_values(o, type);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT && type_keys(type) != NULL) {
        found.guard = (uint32_t)type_keys(type)->dk_nentries;
        found.place = place_of(type_keys(type), name);
    }
    if (values != NULL) {
        found.kind = found.place != NOWHERE && values->values[found.place] != NULL ? VALUE : NOTHING;
        return found;
    }
    PyDictObject *dict = object_dict(o, type);
    if (dict != NULL && DK_IS_UNICODE(dict->ma_keys) && dict->ma_keys->dk_nentries <= LONGEST_SCAN) {
        uint32_t place = place_of(dict->ma_keys, name);
        if (place != NOWHERE && entry_value(dict, name, place) != NULL) {
            found.kind = ENTRY;
            found.place = place;
        }
    }
    return found;
}

/* Whether taking this class attribute for an object runs no Python code, and always will. */
static int
taken_quietly(PyObject *value)
{
    return Py_TYPE(value)->tp_descr_get == NULL || is_method(value) || Py_IS_TYPE(value, &PyStaticMethod_Type);
}

static ppy_attr_cache
learn_instance(PyObject *o, PyTypeObject *type, PyObject *name, PyObject *descriptor, int store)
{
    if (store ? type->tp_setattro != PyObject_GenericSetAttr
              : type->tp_getattro != PyObject_GenericGetAttr && type->tp_getattro != PyModule_Type.tp_getattro) {
        return (ppy_attr_cache){0};
    }
    if (type->tp_dictoffset < 0 && !(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        return (ppy_attr_cache){0};
    }
    if (descriptor != NULL) {
        if (!(Py_TYPE(descriptor)->tp_flags & Py_TPFLAGS_IMMUTABLETYPE)) {
            return (ppy_attr_cache){0}; /* it may become a descriptor later */
        }
        if (Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
            return learn_slot(type, descriptor);
        }
        if (Py_TYPE(descriptor)->tp_descr_set != NULL) {
            return (ppy_attr_cache){0};
        }
    }
    ppy_attr_cache found = learn_own(o, type, name);
    if (found.kind == NOTHING && !store && descriptor != NULL && taken_quietly(descriptor)) {
        found.kind = CLASS;
        found.value = descriptor;
    }
    return found;
}

static ppy_attr_cache
learn_class(PyTypeObject *class, PyTypeObject *meta, PyObject *name, PyObject *descriptor)
{
    PyObject *value = _PyType_Lookup(class, name);
    if (meta->tp_getattro != PyType_Type.tp_getattro || descriptor != NULL || value == NULL || class->tp_version_tag == 0
        || !(Py_TYPE(value)->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) || !taken_quietly(value)) {
        return (ppy_attr_cache){0};
    }
    return (ppy_attr_cache){.kind = OWN, .value = value, .guard = class->tp_version_tag};
}

/* The operation has just succeeded for o, in the general way. */
static void
learn(PyObject *o, PyObject *name, ppy_attr_cache *cache, int store)
{
    if (cache->pause > 0) {
        cache->pause--;
        return;
    }
    PyTypeObject *type = Py_TYPE(o);
    PyObject *descriptor = _PyType_Lookup(type, name); /* gives the type a version, if it can have one */
    ppy_attr_cache found = {0};
    if (type->tp_version_tag != 0 && PyUnicode_CheckExact(name) && PyUnicode_CHECK_INTERNED(name)) {
        found = !PyType_Check(o) ? learn_instance(o, type, name, descriptor, store)
                : store          ? found
                                 : learn_class((PyTypeObject *)o, type, name, descriptor);
    }
    cache->pause = PAUSE;
    cache->kind = found.kind;
    cache->place = found.place;
    cache->guard = found.guard;
    cache->value = found.value;
    cache->type_version = found.kind == NOTHING ? 0 : type->tp_version_tag;
}

/* ---- operations ---- */

/* What is not among the object's values; a function of its own keeps the usual case without saved registers. */
static __attribute__((noinline)) PyObject *
getattr_elsewhere(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name, ppy_attr_cache *cache)
{
    PyObject *value = cached(o, name, cache, NULL);
    if (PPY_LIKELY(value != NULL)) {
        return value;
    }
    ppy_frame_enter(ctx, act, fn, cache->lasti);
    value = PyObject_GetAttr(o, name);
    if (value != NULL) {
        learn(o, name, cache, 0);
    }
    return value;
}

PyObject *
ppy_getattr(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name, ppy_attr_cache *cache)
{
    PyTypeObject *type = Py_TYPE(o);
    if (PPY_LIKELY(type->tp_version_tag == cache->type_version && cache->kind == VALUE)) {
        PyDictValues *values = object_values(o, type);
        PyObject *value = values == NULL ? NULL : values->values[cache->place];
        if (PPY_LIKELY(value != NULL)) {
            return Py_NewRef(value);
        }
    }
    return getattr_elsewhere(ctx, act, fn, o, name, cache);
}

int
ppy_setattr(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name, PyObject *value,
            ppy_attr_cache *cache)
{
    int done = cached_store(o, name, value, cache);
    if (PPY_LIKELY(done > 0)) {
        return 0;
    }
    if (done < 0) {
        return -1;
    }
    ppy_frame_enter(ctx, act, fn, cache->lasti);
    int status = PyObject_SetAttr(o, name, value);
    if (status == 0) {
        learn(o, name, cache, 1);
    }
    return status;
}

int
ppy_load_method(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name, ppy_attr_cache *cache,
                PyObject **method)
{
    int unbound = 0;
    *method = cached(o, name, cache, &unbound);
    if (PPY_LIKELY(*method != NULL)) {
        return unbound;
    }
    ppy_frame_enter(ctx, act, fn, cache->lasti);
    unbound = _PyObject_GetMethod(o, name, method);
    if (*method == NULL) {
        return -1;
    }
    learn(o, name, cache, 0);
    return unbound;
}
