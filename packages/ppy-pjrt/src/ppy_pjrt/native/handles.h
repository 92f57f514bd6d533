/* Argument structs as templates, and owned handles: an address that is destroyed when its last holder is gone. */
#pragma once
typedef void* (*Entry)(void*);
#define MAX_STRUCT 256
#define MAX_ARGS 256

/* A C argument struct: its bytes, and the entry it belongs to. */
typedef struct { Entry entry; Py_ssize_t size; char bytes[MAX_STRUCT]; } Template;

static int read_template(PyObject* given, Template* out) {
  unsigned long long entry;
  const char* bytes;
  if (!PyArg_ParseTuple(given, "Ky#", &entry, &bytes, &out->size)) return -1;
  if (out->size > MAX_STRUCT) { PyErr_SetString(PyExc_ValueError, "argument struct too large"); return -1; }
  out->entry = (Entry)(uintptr_t)entry;
  memcpy(out->bytes, bytes, out->size);
  return 0;
}
#define POINTER(raw, offset) (*(void**)((raw) + (offset)))

typedef struct {
  PyObject_HEAD
  Template destroy;
  Py_ssize_t offset;
  int alive;
  PyObject* owner;
  PyObject* drop_error;
  PyObject* weak;
} Destroyer;
typedef struct { PyObject_HEAD void* pointer; Destroyer* destroyer; } Handle;
static PyTypeObject DestroyerType, HandleType;

static PyObject* handle_new(Destroyer* destroyer, void* pointer) {
  Handle* self = PyObject_New(Handle, &HandleType);
  if (!self) return NULL;
  self->pointer = pointer;
  self->destroyer = (Destroyer*)Py_NewRef((PyObject*)destroyer);
  return (PyObject*)self;
}

static void* destroy_pointer(Destroyer* destroyer, void* pointer) {
  char raw[MAX_STRUCT];
  void* error;
  memcpy(raw, destroyer->destroy.bytes, destroyer->destroy.size);
  POINTER(raw, destroyer->offset) = pointer;
  Py_BEGIN_ALLOW_THREADS
  error = destroyer->destroy.entry(raw);
  Py_END_ALLOW_THREADS
  return error;
}

static void drop_error(Destroyer* destroyer, void* error) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject* done = PyObject_CallFunction(destroyer->drop_error, "K", (unsigned long long)(uintptr_t)error);
  if (!done) PyErr_WriteUnraisable(destroyer->drop_error);
  Py_XDECREF(done);
  PyErr_Restore(type, value, trace);
}

static void handle_dealloc(Handle* self) {
  Destroyer* destroyer = self->destroyer;
  if (self->pointer && destroyer->alive) {
    PyObject *type, *value, *trace; /* the plugin may call Python, and an exception may be on its way */
    PyErr_Fetch(&type, &value, &trace);
    void* error = destroy_pointer(destroyer, self->pointer);
    if (error) drop_error(destroyer, error);
    PyErr_Restore(type, value, trace);
  }
  Py_DECREF(destroyer);
  PyObject_Free(self);
}
static PyObject* handle_index(Handle* self) { return PyLong_FromVoidPtr(self->pointer); }
static int handle_bool(Handle* self) { return self->pointer != NULL; }
static PyObject* handle_repr(Handle* self) { return PyUnicode_FromFormat("<handle %p>", self->pointer); }
static PyNumberMethods handle_number = {.nb_index = (unaryfunc)handle_index, .nb_int = (unaryfunc)handle_index, .nb_bool = (inquiry)handle_bool};
static PyTypeObject HandleType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ppy_pjrt._fast.Handle", .tp_basicsize = sizeof(Handle),
    .tp_dealloc = (destructor)handle_dealloc, .tp_as_number = &handle_number, .tp_repr = (reprfunc)handle_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT, .tp_doc = "An owned C object."};

/* Destroyer(template, offset, owner, drop_error) */
static PyObject* destroyer_new(PyTypeObject* type, PyObject* args, PyObject* kw) {
  PyObject *destroy, *owner, *drop;
  Py_ssize_t offset;
  if (!PyArg_ParseTuple(args, "OnOO", &destroy, &offset, &owner, &drop)) return NULL;
  Destroyer* self = (Destroyer*)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->offset = offset;
  self->alive = 1;
  self->owner = Py_NewRef(owner);
  self->drop_error = Py_NewRef(drop);
  if (read_template(destroy, &self->destroy) < 0) { Py_DECREF(self); return NULL; }
  return (PyObject*)self;
}
/* Not seen by the cycle collector: the owner is the handle of a client, which refers to no Python object of the user, so
 * no cycle goes through it, and it must not be let go before the last handle is. */
static void destroyer_dealloc(Destroyer* self) {
  if (self->weak) PyObject_ClearWeakRefs((PyObject*)self);
  Py_XDECREF(self->owner);
  Py_XDECREF(self->drop_error);
  Py_TYPE(self)->tp_free((PyObject*)self);
}
static PyObject* destroyer_call(Destroyer* self, PyObject* args, PyObject* kw) {
  PyObject* given;
  if (!PyArg_ParseTuple(args, "O", &given)) return NULL;
  unsigned long long pointer = PyLong_AsUnsignedLongLong(given);
  if (pointer == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
  return handle_new(self, (void*)(uintptr_t)pointer);
}
static PyObject* destroyer_poison(Destroyer* self, PyObject* none) { self->alive = 0; Py_RETURN_NONE; }
static PyMethodDef destroyer_methods[] = {{"poison", (PyCFunction)destroyer_poison, METH_NOARGS, "Stops destroying (after fork)."}, {NULL}};
static PyMemberDef destroyer_members[] = {{"owner", T_OBJECT, offsetof(Destroyer, owner), READONLY, NULL}, {NULL}};
static PyTypeObject DestroyerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ppy_pjrt._fast.Destroyer", .tp_basicsize = sizeof(Destroyer),
    .tp_dealloc = (destructor)destroyer_dealloc, .tp_weaklistoffset = offsetof(Destroyer, weak),
    .tp_call = (ternaryfunc)destroyer_call, .tp_methods = destroyer_methods, .tp_members = destroyer_members, .tp_new = destroyer_new,
    .tp_flags = Py_TPFLAGS_DEFAULT, .tp_doc = "Makes handles of one kind."};
