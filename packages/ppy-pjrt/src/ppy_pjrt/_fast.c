/* The compiled fast path: owned handles, calls of prepared executables, uploads of plain arrays, small reads.
 *
 * It does what handle.py, executable.py and create.py do, for the common case only; everything else goes to them. It
 * knows no layout of the PJRT structs: argument structs come as templates, places as offsets from the package's table.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

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

/* ---- Destroyer and Handle: an address that is destroyed when its last holder is gone ---- */

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
    void* error = destroy_pointer(destroyer, self->pointer);
    if (error) drop_error(destroyer, error);
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

/* ---- Kind: what a parameter takes, and how a plain array becomes one ---- */

typedef struct {
  PyObject_HEAD
  PyObject* spec;
  Template upload;
  Py_ssize_t data_at, event_at, result_at;
  PyObject* formats; /* tuple of bytes */
  Py_ssize_t rank, nbytes;
  Py_ssize_t shape[16];
  PyObject* keep;
} Kind;
static PyTypeObject KindType;

/* Kind(spec, upload template, data, event, result, formats, shape, nbytes, keep) */
static PyObject* kind_new(PyTypeObject* type, PyObject* args, PyObject* kw) {
  PyObject *spec, *upload, *formats, *shape, *keep;
  Py_ssize_t data_at, event_at, result_at, nbytes;
  if (!PyArg_ParseTuple(args, "OOnnnO!O!nO", &spec, &upload, &data_at, &event_at, &result_at, &PyTuple_Type, &formats,
                        &PyTuple_Type, &shape, &nbytes, &keep)) return NULL;
  if (PyTuple_GET_SIZE(shape) > 16) { PyErr_SetString(PyExc_ValueError, "too many dimensions"); return NULL; }
  Kind* self = (Kind*)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->spec = Py_NewRef(spec);
  self->formats = Py_NewRef(formats);
  self->keep = Py_NewRef(keep);
  self->data_at = data_at; self->event_at = event_at; self->result_at = result_at; self->nbytes = nbytes;
  self->rank = PyTuple_GET_SIZE(shape);
  for (Py_ssize_t i = 0; i < self->rank; i++) self->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
  if (PyErr_Occurred() || read_template(upload, &self->upload) < 0) { Py_DECREF(self); return NULL; }
  return (PyObject*)self;
}
static void kind_dealloc(Kind* self) {
  PyObject_GC_UnTrack(self);
  Py_XDECREF(self->spec); Py_XDECREF(self->formats); Py_XDECREF(self->keep);
  Py_TYPE(self)->tp_free((PyObject*)self);
}
static int kind_traverse(Kind* self, visitproc visit, void* arg) { Py_VISIT(self->spec); Py_VISIT(self->keep); return 0; }
static int kind_clear(Kind* self) { Py_CLEAR(self->keep); return 0; }
static PyTypeObject KindType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ppy_pjrt._fast.Kind", .tp_basicsize = sizeof(Kind),
    .tp_dealloc = (destructor)kind_dealloc, .tp_traverse = (traverseproc)kind_traverse, .tp_clear = (inquiry)kind_clear,
    .tp_new = kind_new, .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, .tp_doc = "The kind of one parameter."};

static int format_fits(Kind* kind, const char* format) {
  if (!format) format = "B";
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kind->formats); i++)
    if (!strcmp(format, PyBytes_AS_STRING(PyTuple_GET_ITEM(kind->formats, i)))) return 1;
  return 0;
}

/* ---- Callable: the base class of executables ---- */

typedef struct {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  int armed;
  Template run;
  char options[MAX_STRUCT];
  Py_ssize_t options_size, options_at, arguments_at, results_at;
  Py_ssize_t inputs, outputs;
  PyObject* kinds;       /* tuple of Kind */
  PyObject* out_specs;   /* tuple */
  PyObject* handle;      /* the loaded executable: held while armed and during every call */
  Destroyer* buffers;
  Destroyer* events;
} Callable;

static PyTypeObject* buffer_type;
static Py_ssize_t spec_offset, handle_offset;

static PyObject* call_slow(Callable* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  static PyObject* name;
  if (!name && !(name = PyUnicode_InternFromString("_call"))) return NULL;
  PyObject* method = PyObject_GetAttr((PyObject*)self, name);
  if (!method) return NULL;
  PyObject* result = PyObject_Vectorcall(method, args, PyVectorcall_NARGS(nargsf), names);
  Py_DECREF(method);
  return result;
}

/* An argument that is no buffer: 1 uploaded, 0 not of this kind (the general way decides), -1 the plugin's error. */
static int upload(Destroyer* buffers, Destroyer* events, Kind* kind, PyObject* given, void** out) {
  Py_buffer view;
  char raw[MAX_STRUCT];
  if (!PyObject_CheckBuffer(given)) return 0;
  if (PyObject_GetBuffer(given, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) { PyErr_Clear(); return 0; }
  int fits = view.ndim == kind->rank && view.len == kind->nbytes && view.len && format_fits(kind, view.format);
  for (Py_ssize_t i = 0; fits && i < kind->rank; i++) fits = view.shape[i] == kind->shape[i];
  if (!fits) { PyBuffer_Release(&view); return 0; }
  memcpy(raw, kind->upload.bytes, kind->upload.size);
  POINTER(raw, kind->data_at) = view.buf;
  void* error;
  Py_BEGIN_ALLOW_THREADS
  error = kind->upload.entry(raw);
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&view);
  if (error) { drop_error(buffers, error); return 0; } /* asked again the general way, which explains it */
  if (POINTER(raw, kind->event_at)) {
    error = destroy_pointer(events, POINTER(raw, kind->event_at));
    if (error) drop_error(events, error);
  }
  *out = POINTER(raw, kind->result_at);
  return 1;
}

static PyObject* call(Callable* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (!self->armed || names || count != self->inputs) return call_slow(self, args, nargsf, names);
  void* pointers[MAX_ARGS];
  PyObject* held[MAX_ARGS];
  void* temporary[MAX_ARGS];
  Py_ssize_t uploaded = 0, taken = 0;
  PyObject* result = NULL;
  PyObject* kinds = Py_NewRef(self->kinds);
  PyObject* handle = Py_NewRef(self->handle);
  PyObject* specs = Py_NewRef(self->out_specs);
  Destroyer* buffers = (Destroyer*)Py_NewRef((PyObject*)self->buffers);
  Destroyer* events = (Destroyer*)Py_NewRef((PyObject*)self->events);
  char run[MAX_STRUCT], options[MAX_STRUCT];
  void* results[MAX_ARGS];
  Py_ssize_t outputs = self->outputs;
  memcpy(run, self->run.bytes, self->run.size);
  memcpy(options, self->options, self->options_size);
  Entry entry = self->run.entry;
  Py_ssize_t options_at = self->options_at, arguments_at = self->arguments_at, results_at = self->results_at;
  int general = 0;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* given = args[i];
    Kind* kind = (Kind*)PyTuple_GET_ITEM(kinds, i);
    if (Py_TYPE(given) == buffer_type) {
      PyObject* owned = *(PyObject**)((char*)given + handle_offset);
      /* A closed buffer has another spec, so the handle of one with this spec is live. No other thread runs here. */
      if (*(PyObject**)((char*)given + spec_offset) != kind->spec || Py_TYPE(owned) != &HandleType) { general = 1; break; }
      held[taken++] = Py_NewRef(owned);
      pointers[i] = ((Handle*)owned)->pointer;
    } else {
      void* made;
      if (upload(buffers, events, kind, given, &made) != 1) { general = 1; break; }
      pointers[i] = temporary[uploaded++] = made;
    }
  }
  void* error = NULL;
  if (!general) {
    void** argument_row = pointers;
    void** result_row = results;
    memset(results, 0, outputs * sizeof(void*));
    POINTER(run, options_at) = options;
    POINTER(run, arguments_at) = &argument_row;
    POINTER(run, results_at) = &result_row;
    Py_BEGIN_ALLOW_THREADS
    error = entry(run);
    Py_END_ALLOW_THREADS
  }
  for (Py_ssize_t i = 0; i < uploaded; i++) {
    void* failed = destroy_pointer(buffers, temporary[i]);
    if (failed) drop_error(buffers, failed);
  }
  if (!general && error) {
    for (Py_ssize_t i = 0; i < outputs; i++) if (results[i]) { PyObject* gone = handle_new(buffers, results[i]); Py_XDECREF(gone); }
    PyObject* raised = PyObject_CallMethod((PyObject*)self, "_explain", "K", (unsigned long long)(uintptr_t)error);
    if (raised) { PyErr_SetObject((PyObject*)Py_TYPE(raised), raised); Py_DECREF(raised); }
  } else if (!general && (result = PyTuple_New(outputs))) {
    for (Py_ssize_t i = 0; i < outputs; i++) {
      PyObject* owned = handle_new(buffers, results[i]);
      PyObject* made = owned ? buffer_type->tp_alloc(buffer_type, 0) : NULL;
      if (!made) { Py_XDECREF(owned); Py_CLEAR(result); break; }
      *(PyObject**)((char*)made + spec_offset) = Py_NewRef(PyTuple_GET_ITEM(specs, i));
      *(PyObject**)((char*)made + handle_offset) = owned;
      PyTuple_SET_ITEM(result, i, made);
    }
  }
  for (Py_ssize_t i = 0; i < taken; i++) Py_DECREF(held[i]);
  Py_DECREF(kinds); Py_DECREF(handle); Py_DECREF(specs); Py_DECREF((PyObject*)buffers); Py_DECREF((PyObject*)events);
  return general ? call_slow(self, args, nargsf, names) : result;
}

static PyObject* callable_new(PyTypeObject* type, PyObject* args, PyObject* kw) {
  Callable* self = (Callable*)type->tp_alloc(type, 0);
  if (self) self->vectorcall = (vectorcallfunc)call;
  return (PyObject*)self;
}
static PyObject* callable_disarm(Callable* self, PyObject* none) {
  self->armed = 0;
  Py_CLEAR(self->kinds); Py_CLEAR(self->out_specs); Py_CLEAR(self->handle);
  Py_CLEAR(self->buffers); Py_CLEAR(self->events);
  Py_RETURN_NONE;
}
/* _arm(run, options, options_at, arguments_at, results_at, kinds, out_specs, handle, buffers, events) */
static PyObject* callable_arm(Callable* self, PyObject* args) {
  PyObject *run, *kinds, *specs, *handle, *buffers, *events;
  const char* options;
  Py_ssize_t options_size, options_at, arguments_at, results_at;
  if (!PyArg_ParseTuple(args, "Oy#nnnO!O!OO!O!", &run, &options, &options_size, &options_at, &arguments_at, &results_at,
                        &PyTuple_Type, &kinds, &PyTuple_Type, &specs, &handle, &DestroyerType, &buffers, &DestroyerType, &events)) return NULL;
  if (PyTuple_GET_SIZE(kinds) > MAX_ARGS || PyTuple_GET_SIZE(specs) > MAX_ARGS || options_size > MAX_STRUCT) Py_RETURN_FALSE;
  Py_XDECREF(callable_disarm(self, NULL));
  if (read_template(run, &self->run) < 0) return NULL;
  memcpy(self->options, options, options_size);
  self->options_size = options_size;
  self->options_at = options_at; self->arguments_at = arguments_at; self->results_at = results_at;
  self->inputs = PyTuple_GET_SIZE(kinds);
  self->outputs = PyTuple_GET_SIZE(specs);
  self->kinds = Py_NewRef(kinds);
  self->out_specs = Py_NewRef(specs);
  self->handle = Py_NewRef(handle);
  self->buffers = (Destroyer*)Py_NewRef(buffers);
  self->events = (Destroyer*)Py_NewRef(events);
  self->armed = 1;
  Py_RETURN_TRUE;
}
static int callable_traverse(Callable* self, visitproc visit, void* arg) {
  Py_VISIT(self->kinds); Py_VISIT(self->out_specs); 
  return 0;
}
static int callable_clear(Callable* self) { Py_XDECREF(callable_disarm(self, NULL)); return 0; }
static void callable_dealloc(Callable* self) {
  PyObject_GC_UnTrack(self);
  callable_clear(self);
  Py_TYPE(self)->tp_free((PyObject*)self);
}
static PyMethodDef callable_methods[] = {
    {"_arm", (PyCFunction)callable_arm, METH_VARARGS, "Prepares the fast call."},
    {"_disarm", (PyCFunction)callable_disarm, METH_NOARGS, "Sends every call the general way."}, {NULL}};
static PyTypeObject CallableType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ppy_pjrt._fast.Callable", .tp_basicsize = sizeof(Callable),
    .tp_dealloc = (destructor)callable_dealloc, .tp_traverse = (traverseproc)callable_traverse, .tp_clear = (inquiry)callable_clear,
    .tp_call = PyVectorcall_Call, .tp_vectorcall_offset = offsetof(Callable, vectorcall), .tp_methods = callable_methods,
    .tp_new = callable_new,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "The base of executables."};

/* ---- Reader: the contents of a small host buffer, once they are there ---- */

typedef struct { PyObject_HEAD Template ready, await, pointer; Py_ssize_t buffer_at, event_out, event_in, pointer_at, pointer_in; Destroyer* events; PyObject* take_error; } Reader;
/* Reader(ready, await, pointer, (buffer, event out, event in, buffer, pointer out), events, take_error) */
static PyObject* reader_new(PyTypeObject* type, PyObject* args, PyObject* kw) {
  PyObject *ready, *await, *pointer, *events, *take;
  Py_ssize_t a, b, c, d, e;
  if (!PyArg_ParseTuple(args, "OOO(nnnnn)O!O", &ready, &await, &pointer, &a, &b, &c, &d, &e, &DestroyerType, &events, &take)) return NULL;
  Reader* self = (Reader*)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->buffer_at = a; self->event_out = b; self->event_in = c; self->pointer_in = d; self->pointer_at = e;
  self->events = (Destroyer*)Py_NewRef(events);
  self->take_error = Py_NewRef(take);
  if (read_template(ready, &self->ready) < 0 || read_template(await, &self->await) < 0 || read_template(pointer, &self->pointer) < 0) { Py_DECREF(self); return NULL; }
  return (PyObject*)self;
}
static void reader_dealloc(Reader* self) { Py_XDECREF((PyObject*)self->events); Py_XDECREF(self->take_error); Py_TYPE(self)->tp_free((PyObject*)self); }
static PyObject* raise_error(Reader* self, void* error) {
  PyObject* raised = PyObject_CallFunction(self->take_error, "K", (unsigned long long)(uintptr_t)error);
  if (raised) { PyErr_SetObject((PyObject*)Py_TYPE(raised), raised); Py_DECREF(raised); }
  return NULL;
}
/* reader(handle, size) -> bytes */
static PyObject* reader_call(Reader* self, PyObject* args, PyObject* kw) {
  PyObject* given;
  Py_ssize_t size;
  char raw[MAX_STRUCT];
  void* error;
  if (!PyArg_ParseTuple(args, "On", &given, &size)) return NULL;
  if (Py_TYPE(given) != &HandleType || size < 0) { PyErr_SetString(PyExc_TypeError, "a live handle is wanted"); return NULL; }
  Py_INCREF(given);
  void* buffer = ((Handle*)given)->pointer;
  PyObject* out = NULL;
  memcpy(raw, self->ready.bytes, self->ready.size);
  POINTER(raw, self->buffer_at) = buffer;
  if ((error = self->ready.entry(raw))) { raise_error(self, error); goto done; }
  void* event = POINTER(raw, self->event_out);
  memcpy(raw, self->await.bytes, self->await.size);
  POINTER(raw, self->event_in) = event;
  Py_BEGIN_ALLOW_THREADS
  error = self->await.entry(raw);
  Py_END_ALLOW_THREADS
  void* failed = destroy_pointer(self->events, event);
  if (failed) drop_error(self->events, failed);
  if (error) { raise_error(self, error); goto done; }
  memcpy(raw, self->pointer.bytes, self->pointer.size);
  POINTER(raw, self->pointer_in) = buffer;
  if ((error = self->pointer.entry(raw))) { raise_error(self, error); goto done; }
  out = PyBytes_FromStringAndSize(POINTER(raw, self->pointer_at), size);
done:
  Py_DECREF(given);
  return out;
}
static PyTypeObject ReaderType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ppy_pjrt._fast.Reader", .tp_basicsize = sizeof(Reader),
    .tp_dealloc = (destructor)reader_dealloc, .tp_call = (ternaryfunc)reader_call, .tp_new = reader_new,
    .tp_flags = Py_TPFLAGS_DEFAULT, .tp_doc = "Copies small host buffers."};

/* bind(Buffer): learns where its two slots are */
static PyObject* bind(PyObject* module, PyObject* type) {
  Py_ssize_t* places[2] = {&spec_offset, &handle_offset};
  const char* names[2] = {"_spec", "_handle"};
  for (int i = 0; i < 2; i++) {
    PyObject* slot = PyObject_GetAttrString(type, names[i]);
    if (!slot) return NULL;
    if (Py_TYPE(slot) != &PyMemberDescr_Type) { Py_DECREF(slot); PyErr_SetString(PyExc_TypeError, "no slot"); return NULL; }
    *places[i] = ((PyMemberDescrObject*)slot)->d_member->offset;
    Py_DECREF(slot);
  }
  buffer_type = (PyTypeObject*)Py_NewRef(type);
  Py_RETURN_NONE;
}
static PyMethodDef functions[] = {{"bind", bind, METH_O, "Learns the slots of the buffer class."}, {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_fast", "The compiled fast path.", -1, functions};

PyMODINIT_FUNC PyInit__fast(void) {
  PyTypeObject* types[] = {&DestroyerType, &HandleType, &KindType, &CallableType, &ReaderType};
  const char* names[] = {"Destroyer", "Handle", "Kind", "Callable", "Reader"};
  PyObject* made = PyModule_Create(&module);
  for (int i = 0; made && i < 5; i++) {
    if (PyType_Ready(types[i]) < 0 || PyModule_AddObjectRef(made, names[i], (PyObject*)types[i]) < 0) Py_CLEAR(made);
  }
  return made;
}
