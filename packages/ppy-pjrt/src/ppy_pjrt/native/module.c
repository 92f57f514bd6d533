/* The compiled fast path: owned handles, calls of prepared executables, uploads of plain arrays, small reads.
 *
 * It does what handle.py, executable.py and create.py do, for the common case only; everything else goes to them. It
 * knows no layout of the PJRT structs: argument structs come as templates, places as offsets from the package's table.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include "handles.h"
#include "call.h"
#include "reader.h"

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
static PyMethodDef functions[] = {
    {"bind", bind, METH_O, "Learns the slots of the buffer class."},
    {"waiting", count_waiting, METH_NOARGS, "How many threads wait for a device."},
    {"forget_waiting", forget_waiting, METH_NOARGS, "Sets their number to nought (after fork)."}, {NULL}};
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
