/* Loading: comparing this build with the interpreter, and running a compiled module. */
#include "ppy_private.h"
#include <stdlib.h>
#include <marshal.h>

static const char *check_text = "not checked";

static int
refuse(int status, const char *text)
{
    check_text = text;
    PyErr_Clear();
    return status;
}

/* ---- the interpreter ---- */

static int
same_sizes(void)
{
    const struct { PyTypeObject *type; size_t basic, item; } sizes[] = {
#if PPY_PY311
        {&PyLong_Type, offsetof(PyLongObject, ob_digit), sizeof(digit)},
#else
        {&PyLong_Type, offsetof(PyLongObject, long_value.ob_digit), sizeof(digit)},
#endif
        {&PyFloat_Type, sizeof(PyFloatObject), 0},
        {&PyUnicode_Type, sizeof(PyUnicodeObject), 0},
        {&PyBytes_Type, offsetof(PyBytesObject, ob_sval) + 1, 1},
        {&PyList_Type, sizeof(PyListObject), 0},
        {&PyTuple_Type, offsetof(PyTupleObject, ob_item), sizeof(PyObject *)},
        {&PyDict_Type, sizeof(PyDictObject), 0},
        {&PyCell_Type, sizeof(PyCellObject), 0},
        {&PyFunction_Type, sizeof(PyFunctionObject), 0},
        {&PyCFunction_Type, sizeof(PyCFunctionObject), 0},
        {&PyMethodDescr_Type, sizeof(PyMethodDescrObject), 0},
        {&PyTraceBack_Type, sizeof(PyTracebackObject), 0},
        {(PyTypeObject *)PyExc_BaseException, sizeof(PyBaseExceptionObject), 0},
        {(PyTypeObject *)PyExc_NameError, sizeof(PyNameErrorObject), 0},
        {&PyCode_Type, offsetof(PyCodeObject, co_code_adaptive), sizeof(_Py_CODEUNIT)},
        {&PyFrame_Type, offsetof(PyFrameObject, _f_frame_data) + offsetof(struct _PyInterpreterFrame, localsplus),
         sizeof(PyObject *)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if ((size_t)sizes[i].type->tp_basicsize != sizes[i].basic || (size_t)sizes[i].type->tp_itemsize != sizes[i].item) {
            return 0;
        }
    }
    return 1;
}

static int
nothing(void *unused)
{
    return 0;
}

/* Ints, functions and the running frame are read as emitted code reads them and compared with what the API says. */
static int
probe(void)
{
    PyObject *number = PyLong_FromLongLong(-0x123456789ABCDEF), *dict = PyDict_New(), *func = NULL;
    PyObject *code = Py_CompileString("lambda: None", "<ppy probe>", Py_eval_input);
    int good = 0;
    if (number == NULL || dict == NULL || code == NULL || (func = PyFunction_New(code, dict)) == NULL) {
        goto done;
    }
    ppy_i64r unboxed = ppy_unbox_i64(number);
    PyFunctionObject *f = (PyFunctionObject *)func;
    good = unboxed.ok && unboxed.value == -0x123456789ABCDEF && f->func_code == code && f->func_globals == dict
        && f->func_defaults == NULL && f->func_closure == NULL;
    ppy_original_vectorcall = f->vectorcall;
    PyThreadState *tstate = PyThreadState_Get();
    PyFrameObject *frame = good ? PyThreadState_GetFrame(tstate) : NULL;
    if (frame != NULL) { /* started from Python: the frame object, its data and the chain must agree */
        PyCodeObject *running = PyFrame_GetCode(frame);
        struct _PyInterpreterFrame *data = frame->f_frame;
        good = ppy_frame_code(data) == running && data->frame_obj == frame
            && _PyInterpreterFrame_LASTI(data) * (int)sizeof(_Py_CODEUNIT) == PyFrame_GetLasti(frame);
        struct _PyInterpreterFrame *current = *ppy_current_frame(tstate);
        good = good && (current == data || current->previous == data);
        Py_DECREF(running);
        Py_DECREF(frame);
    }
    good = good && tstate->exc_info != NULL && tstate->datastack_top <= tstate->datastack_limit;
done:
    Py_XDECREF(func);
    Py_XDECREF(code);
    Py_XDECREF(dict);
    Py_XDECREF(number);
    return good;
}

static void
find_breaker(void)
{
#if PPY_PY313
    ppy_breaker_known = 1;
#else
    PyInterpreterState *interp = PyThreadState_Get()->interp;
    if (_PyOS_IsMainThread() && Py_AddPendingCall(nothing, NULL) == 0) {
        int raised = _Py_atomic_load_relaxed(&interp->ceval.eval_breaker) != 0;
        if (Py_MakePendingCalls() < 0) {
            PyErr_Clear();
        }
        ppy_breaker_known = raised;
    }
    else {
        ppy_breaker_known = ppy_exact_headers;
    }
#endif
}

static int
check(void)
{
    if (Py_Version >> 16 != PY_VERSION_HEX >> 16) {
        return refuse(PPY_CHECK_VERSION, "built for another Python version");
    }
    PyObject *flags = PySys_GetObject("abiflags");
    if (flags == NULL || !PyUnicode_Check(flags) || PyUnicode_GET_LENGTH(flags) != 0) {
        return refuse(PPY_CHECK_ABIFLAGS, "a debug or free-threaded build of Python");
    }
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        return refuse(PPY_CHECK_INTERPRETER, "a subinterpreter");
    }
    if (!same_sizes()) {
        return refuse(PPY_CHECK_LAYOUT, "object sizes differ from the headers");
    }
    ppy_exact_headers = Py_Version == PY_VERSION_HEX;
    if (!probe()) {
        return refuse(PPY_CHECK_LAYOUT, "objects are laid out differently from the headers");
    }
    find_breaker();
    ppy_find_holder();
    ppy_watch_limit();
    if (ppy_functions_ready() < 0) {
        return refuse(PPY_CHECK_MEMORY, "functions cannot be watched");
    }
    if ((ppy_empty_cell = PyCell_New(NULL)) == NULL) {
        return refuse(PPY_CHECK_MEMORY, "no memory");
    }
    check_text = "";
    return PPY_CHECK_OK;
}

int
ppy_support_check(void)
{
    static int status = -1;
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        return refuse(PPY_CHECK_INTERPRETER, "a subinterpreter");
    }
    if (status < 0) {
        status = check();
    }
    return status;
}

const char *
ppy_support_reason(void)
{
    return check_text;
}

int
ppy_support_abi(void)
{
    return PPY_SUPPORT_ABI;
}

/* ---- units ---- */

static int
count_codes(PyCodeObject *code)
{
    int count = 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *inner = PyTuple_GET_ITEM(code->co_consts, i);
        count += PyCode_Check(inner) ? count_codes((PyCodeObject *)inner) : 0;
    }
    return count;
}

static PyCodeObject **
list_codes(PyCodeObject *code, PyCodeObject **out)
{
    *out++ = (PyCodeObject *)Py_NewRef(code);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
        PyObject *inner = PyTuple_GET_ITEM(code->co_consts, i);
        if (PyCode_Check(inner)) {
            out = list_codes((PyCodeObject *)inner, out);
        }
    }
    return out;
}

/* Interns what compile() would: names, in tuples too. */
static void
intern_names(PyObject **slot)
{
    PyObject *o = *slot;
    if (PyTuple_CheckExact(o)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); i++) {
            intern_names(&((PyTupleObject *)o)->ob_item[i]);
        }
    }
    else if (PyUnicode_CheckExact(o) && PyUnicode_IsIdentifier(o)) {
        PyUnicode_InternInPlace(slot);
    }
}

/* A constant (StopIteration, module, attribute), which no source text can write, stands for that object of a built-in module: code
 * compares a callee with it before it does natively what that callee does.  None where it is not the built-in itself. */
static PyObject *
follow(PyObject *from, const char *path) /* steals from */
{
    while (from != NULL && *path != 0) {
        size_t length = strcspn(path, ".");
        PyObject *name = PyUnicode_FromStringAndSize(path, (Py_ssize_t)length);
        PyObject *found = name == NULL ? NULL : PyObject_GetAttr(from, name);
        Py_XDECREF(name);
        Py_DECREF(from);
        from = found;
        path += length + (path[length] == '.');
    }
    return from;
}

static PyObject *
builtin_constant(PyObject *constant)
{
    const char *path = PyUnicode_AsUTF8(PyTuple_GET_ITEM(constant, 2));
    PyObject *found = path == NULL ? NULL : follow(PyImport_Import(PyTuple_GET_ITEM(constant, 1)), path);
    if (found != NULL
        && (PyCFunction_CheckExact(found) || PyType_Check(found) || Py_IS_TYPE(found, &PyMethodDescr_Type))) {
        return found;
    }
    PyErr_Clear();
    Py_XDECREF(found);
    return Py_NewRef(Py_None);
}

static int
names_builtin(PyObject *constant)
{
    return PyTuple_CheckExact(constant) && PyTuple_GET_SIZE(constant) == 3 && PyTuple_GET_ITEM(constant, 0) == PyExc_StopIteration;
}

static int
fill_constants(ppy_unit *unit)
{
    PyObject *constants = PyMarshal_ReadObjectFromString(unit->marshalled, unit->marshalled_size);
    if (constants == NULL || !PyTuple_CheckExact(constants) || PyTuple_GET_SIZE(constants) != unit->nconsts) {
        Py_XDECREF(constants);
        return -1;
    }
    for (int64_t i = 0; i < unit->nconsts; i++) {
        PyObject *constant = PyTuple_GET_ITEM(constants, i);
        unit->consts[i] = names_builtin(constant) ? builtin_constant(constant) : Py_NewRef(constant);
    }
    Py_DECREF(constants);
    for (int64_t i = 0; i < unit->nconsts; i++) {
        intern_names(&unit->consts[i]);
    }
    for (int64_t i = 0; i < unit->ncells; i++) {
        int64_t at = unit->cells[i].name_const;
        if (at < 0 || at >= unit->nconsts || !PyUnicode_CheckExact(unit->consts[at])) {
            return -1;
        }
        PyUnicode_InternInPlace(&unit->consts[at]);
        unit->cells[i].name = unit->consts[at];
    }
    return 0;
}

static int
slots_of(PyCodeObject *code)
{
    return code->co_argcount + code->co_kwonlyargcount + !!(code->co_flags & CO_VARARGS) + !!(code->co_flags & CO_VARKEYWORDS);
}

static int
fill_functions(ppy_unit *unit)
{
    for (int64_t i = 0; i < unit->nfunctions; i++) {
        ppy_function *fn = &unit->functions[i];
        if (fn->code_index < 0 || fn->code_index >= unit->ncodes) {
            return -1;
        }
        PyCodeObject *code = unit->codes[fn->code_index];
        int flags = (code->co_flags & CO_VARARGS ? PPY_FN_VARARGS : 0)
            | (code->co_flags & CO_VARKEYWORDS ? PPY_FN_VARKEYWORDS : 0);
        if (fn->entry != NULL && (fn->nargs != slots_of(code) || fn->flags != flags)) {
            return -1;
        }
        ppy_binding_off++;
        fn->frame_func = PyFunction_New((PyObject *)code, unit->dict);
        ppy_binding_off--;
        if (fn->frame_func == NULL) {
            return -1;
        }
        fn->code = (PyCodeObject *)Py_NewRef(code);
        fn->unit = unit;
        unit->by_code[fn->code_index] = fn;
    }
    return 0;
}

/* Back to how the unit was emitted. */
static void
reset_unit(ppy_unit *unit)
{
    ppy_forget_functions(unit);
    for (int64_t i = 0; i < unit->nconsts; i++) {
        Py_CLEAR(unit->consts[i]);
    }
    for (int64_t i = 0; i < unit->nfunctions; i++) {
        Py_CLEAR(unit->functions[i].frame_func);
        Py_CLEAR(unit->functions[i].code);
    }
    for (int64_t i = 0; i < unit->ncells; i++) {
        unit->cells[i].name = NULL;
    }
    for (int64_t i = 0; unit->codes != NULL && i < unit->ncodes; i++) {
        Py_XDECREF(unit->codes[i]);
    }
    free(unit->codes);
    free(unit->by_code);
    unit->codes = NULL;
    unit->by_code = NULL;
    unit->ncodes = 0;
    Py_CLEAR(unit->builtins);
    Py_CLEAR(unit->dict);
}

static int
prepare_unit(ppy_unit *unit, PyObject *dict, PyCodeObject *code)
{
    int64_t ncodes = count_codes(code);
    unit->dict = Py_NewRef(dict);
    unit->codes = calloc((size_t)ncodes, sizeof *unit->codes);
    unit->by_code = calloc((size_t)ncodes, sizeof *unit->by_code);
    if (unit->codes == NULL || unit->by_code == NULL) {
        return -1;
    }
    unit->ncodes = ncodes;
    list_codes(code, unit->codes);
    if (fill_constants(unit) < 0 || fill_functions(unit) < 0 || unit->nfunctions == 0) {
        return -1;
    }
    unit->builtins = Py_NewRef(((PyFunctionObject *)unit->functions[0].frame_func)->func_builtins);
    ppy_forget_cells(unit);
    return ppy_register_functions(unit) < 0 || ppy_watch_unit(unit) < 0 ? -1 : 0;
}

PyObject *
ppy_unit_exec(ppy_unit *unit, PyObject *dict, PyObject *module_code, PyObject *name)
{
    if (unit->abi != PPY_SUPPORT_ABI || unit->python != PY_VERSION_HEX >> 16 || ppy_support_check() != PPY_CHECK_OK
        || !PyDict_CheckExact(dict) || !PyCode_Check(module_code) || (unit->dict != NULL && unit->dict != dict)) {
        return Py_NewRef(Py_NotImplemented);
    }
    ppy_ctx *ctx = ppy_ctx_get();
    if (ctx == NULL) {
        return NULL;
    }
    if (unit->dict == NULL && prepare_unit(unit, dict, (PyCodeObject *)module_code) < 0) {
        PyErr_Clear();
        reset_unit(unit);
        return Py_NewRef(Py_NotImplemented);
    }
    if (unit->body == NULL) { /* the top level stayed Python; the functions it makes are native all the same */
        return PyEval_EvalCode(module_code, dict, dict);
    }
    int frame = PPY_PY311 ? 0 : 1; /* levels that a module's frame counts; 3.11 has counted the call of this function */
    *ppy_levels_left(ctx->tstate) -= frame;
    PyObject *result = unit->body(ctx, unit, dict);
    *ppy_levels_left(ctx->tstate) += frame;
    return result;
}
