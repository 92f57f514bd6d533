/* Calls of prepared executables, and uploads of plain arrays on the way in. */
#pragma once
#include "handles.h"

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
