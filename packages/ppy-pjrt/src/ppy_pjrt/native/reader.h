/* Reading a small buffer in host memory. */
#pragma once
#include "handles.h"

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
/* How many threads wait for a device; a forked child has none of them. */
static Py_ssize_t waiting;
static PyObject* count_waiting(PyObject* module, PyObject* none) { return PyLong_FromSsize_t(waiting); }
static PyObject* forget_waiting(PyObject* module, PyObject* none) { waiting = 0; Py_RETURN_NONE; }

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
  waiting++;
  Py_BEGIN_ALLOW_THREADS
  error = self->await.entry(raw);
  Py_END_ALLOW_THREADS
  waiting--;
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
