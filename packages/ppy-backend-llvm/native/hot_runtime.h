/* Contexts, frames, handled exceptions, module names, functions: the parts that are on every call's path.  Inlined. */

PPY_HOT_DEF ppy_ctx *
ppy_ctx_get(void)
{
    ppy_ctx *ctx = ppy_current.ctx;
    PyThreadState *tstate = *ppy_current.holder;
    if (PPY_LIKELY(ctx->tstate == tstate && ctx->thread_id == tstate->id)) {
        return ctx;
    }
    return ppy_ctx_find();
}

PPY_HOT_DEF int
ppy_stack_low(ppy_ctx *ctx)
{
    return (uintptr_t)__builtin_frame_address(0) < ctx->stack_limit;
}

PPY_HOT_DEF void
ppy_gil_take(ppy_ctx *ctx)
{
    if (PPY_UNLIKELY(ctx->gil_released)) {
        ppy_gil_take_slow(ctx);
    }
}

PPY_HOT_DEF void
ppy_frame_enter(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti)
{
    if (PPY_LIKELY(act->frame != NULL)) {
        ppy_set_lasti(act->frame, lasti);
    }
    else {
        ppy_frame_link(ctx, act, fn, lasti);
    }
}

PPY_HOT_DEF void
ppy_act_clear(ppy_ctx *ctx, ppy_act *act)
{
    if (act->frame != NULL) {
        ppy_frame_unlink(ctx, act);
    }
}

PPY_HOT_DEF PyObject *
ppy_push_exc(ppy_ctx *ctx, PyObject *exc)
{
    _PyErr_StackItem *info = ctx->tstate->exc_info;
    PyObject *previous = info->exc_value;
    if (previous == NULL) {
        previous = Py_None;
        Py_INCREF(previous);
    }
    Py_INCREF(exc);
    info->exc_value = exc;
    return previous;
}

PPY_HOT_DEF void
ppy_pop_exc(ppy_ctx *ctx, PyObject *previous)
{
    _PyErr_StackItem *info = ctx->tstate->exc_info;
    PyObject *handled = info->exc_value;
    info->exc_value = previous;
    Py_XDECREF(handled);
}

PPY_HOT_DEF PyObject *
ppy_global_peek(ppy_unit *unit, int64_t cell)
{
#if PPY_PY311
    if (PPY_UNLIKELY(((PyDictObject *)unit->dict)->ma_version_tag != unit->globals_version
                     || ((PyDictObject *)unit->builtins)->ma_version_tag != unit->builtins_version)) {
        return NULL;
    }
#endif
    return unit->cells[cell].value;
}

PPY_HOT_DEF PyObject *
ppy_global_load(ppy_unit *unit, int64_t cell)
{
    PyObject *value = ppy_global_peek(unit, cell);
    if (PPY_LIKELY(value != NULL)) {
        Py_INCREF(value);
        return value;
    }
    return ppy_global_load_slow(unit, cell);
}

PPY_HOT_DEF PyObject *ppy_cell_peek(PyObject *cell) { return ((PyCellObject *)cell)->ob_ref; }

PPY_HOT_DEF PyObject *
ppy_cell_load(PyObject *cell, PyObject *name, int kind)
{
    PyObject *value = ((PyCellObject *)cell)->ob_ref;
    if (PPY_UNLIKELY(value == NULL)) {
        ppy_raise_unbound(kind, name);
        return NULL;
    }
    Py_INCREF(value);
    return value;
}

PPY_HOT_DEF void
ppy_cell_store(PyObject *cell, PyObject *value)
{
    PyObject *old = ((PyCellObject *)cell)->ob_ref;
    ((PyCellObject *)cell)->ob_ref = value;
    Py_XDECREF(old);
}

PPY_HOT_DEF PyObject *
ppy_func_cell(PyObject *func, int64_t index)
{
    return ((PyTupleObject *)((PyFunctionObject *)func)->func_closure)->ob_item[index];
}

PPY_HOT_DEF int
ppy_is_bound(PyObject *o, ppy_function *fn)
{
    return Py_IS_TYPE(o, &ppy_function_type) && ((PyFunctionObject *)o)->vectorcall == fn->entry
        && ((PyFunctionObject *)o)->func_code == (PyObject *)fn->code;
}

PPY_HOT_DEF int
ppy_entry_valid(PyObject *func, ppy_function *fn)
{
    return ((PyFunctionObject *)func)->func_code == (PyObject *)fn->code;
}

PPY_HOT_DEF PyObject *
ppy_func_default(PyObject *func, int64_t index)
{
    PyObject *defaults = ((PyFunctionObject *)func)->func_defaults;
    if (defaults == NULL) {
        return NULL;
    }
    int64_t count = ((PyVarObject *)defaults)->ob_size;
    int64_t at = index - (((PyCodeObject *)((PyFunctionObject *)func)->func_code)->co_argcount - count);
    return at >= 0 && at < count ? ((PyTupleObject *)defaults)->ob_item[at] : NULL;
}
