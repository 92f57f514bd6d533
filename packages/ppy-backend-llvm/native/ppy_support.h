/* The native support library: every function that emitted code may call.
 *
 * This header is the one source of truth: tools/native/generate.py turns it into generated_signatures.py, which lowering
 * reads, and compiles the sources once per Python into the generated IR.  Grammar of a declaration:
 *
 *     PPY_HOT(convention) type name(parameters);     inlined: linked into each unit's module
 *     PPY_COLD(convention) type name(parameters);    one copy per process, called by symbol
 *     PPY_CAPI(convention, type, name(parameters))   CPython's own function, called directly (ppy_capi.h)
 *
 * Conventions (a "new" reference is owned by the caller):
 *
 *     NOFAIL     never fails, never raises; runs no Python code except as a decref may
 *     NEW        new reference; NULL: exception set
 *     MAYBE      new reference; NULL: absent, no exception
 *     BORROWED   borrowed reference; NULL: absent, no exception
 *     STATUS     0: done; -1: exception set
 *     TRI        1 true, 0 false, -1: exception set
 *     SIZE       >= 0; -1: exception set
 *     OK         .ok == 1: .value holds; .ok == 0: it does not fit, no exception: go on in general code
 *     RAISES     .ok == 1: .value holds; .ok == 0: exception set
 *     MIXED      .ok == 1: .value holds; .ok == 0: exception set; .ok == -1: no exception, go on in general code
 *     FAILS      always leaves an exception set
 *     SPECIAL    said beside the function
 *
 * Arguments are borrowed, except parameters spelled PPY_STOLEN, whose reference the callee takes over, always.
 * The GIL is held, unless a function says otherwise.
 */
#ifndef PPY_SUPPORT_H
#define PPY_SUPPORT_H

#include "ppy_types.h"

#define PPY_STOLEN
#define PPY_CAPI(convention, type, declarator)
#ifndef PPY_HOT
#define PPY_HOT(convention)
#endif
#define PPY_COLD(convention)

/* ---- numbers: unboxing and boxing --------------------------------------------------------------------------------- */

/* Exact int (not bool, not a subclass) that fits. */
PPY_HOT(OK) ppy_i64r ppy_unbox_i64(PyObject *o);
PPY_COLD(OK) ppy_i64r ppy_unbox_i64_long(PyObject *o); /* an exact int of two or more digits */
PPY_HOT(OK) ppy_i64r ppy_unbox_u64(PyObject *o);
/* Exact float. */
PPY_HOT(OK) ppy_f64r ppy_unbox_f64(PyObject *o);
/* Exact bool. */
PPY_HOT(OK) ppy_i64r ppy_unbox_bool(PyObject *o);
PPY_HOT(NEW) PyObject *ppy_box_i64(int64_t v);
PPY_HOT(NEW) PyObject *ppy_box_u64(uint64_t v);
PPY_HOT(NEW) PyObject *ppy_box_f64(double v);
PPY_HOT(NEW) PyObject *ppy_box_bool(int64_t v);
PPY_COLD(NEW) PyObject *ppy_box_i128(uint64_t low, int64_t high);

/* ---- references ---------------------------------------------------------------------------------------------------- */

PPY_HOT(NOFAIL) void ppy_incref(PyObject *o);
PPY_HOT(NOFAIL) void ppy_decref(PyObject *o);
PPY_HOT(NOFAIL) void ppy_xincref(PyObject *o);
PPY_HOT(NOFAIL) void ppy_xdecref(PyObject *o);

/* ---- exact tests and layout reads (no side effect) ------------------------------------------------------------------ */

PPY_HOT(NOFAIL) int ppy_is_type(PyObject *o, PyObject *type); /* type(o) is type */
PPY_HOT(NOFAIL) int ppy_is_int(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_float(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_bool(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_str(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_list(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_tuple(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_dict(PyObject *o);
PPY_HOT(NOFAIL) int ppy_is_none(PyObject *o);
/* Truth of any object; the usual exact types are answered inline. */
PPY_HOT(TRI) int ppy_truth(PyObject *o);
/* The following read a layout: the caller has proved the exact type. */
PPY_HOT(NOFAIL) int64_t ppy_list_size(PyObject *list);
PPY_HOT(NOFAIL) int64_t ppy_tuple_size(PyObject *tuple);
PPY_HOT(NOFAIL) int64_t ppy_dict_size(PyObject *dict);
PPY_HOT(NOFAIL) int64_t ppy_str_size(PyObject *str);
PPY_HOT(NOFAIL) int64_t ppy_bytes_size(PyObject *bytes);
PPY_HOT(NOFAIL) PyObject *ppy_list_item(PyObject *list, int64_t index);   /* borrowed; 0 <= index < size proved */
PPY_HOT(NOFAIL) PyObject *ppy_tuple_item(PyObject *tuple, int64_t index); /* borrowed; likewise */
/* Python's indexing (negative from the end): borrowed, NULL where CPython raises IndexError. */
PPY_HOT(BORROWED) PyObject *ppy_list_index(PyObject *list, int64_t index);
PPY_HOT(BORROWED) PyObject *ppy_tuple_index(PyObject *tuple, int64_t index);
/* Code point or byte at a Python index; ok == 0 where CPython raises IndexError. */
PPY_HOT(OK) ppy_i64r ppy_str_at(PyObject *str, int64_t index);
PPY_HOT(OK) ppy_i64r ppy_bytes_at(PyObject *bytes, int64_t index);
/* list[index] = item for a proved list: 0 done, 1 the index is out of range (nothing was done; item still consumed). */
PPY_HOT(SPECIAL) int ppy_list_store(PyObject *list, int64_t index, PPY_STOLEN PyObject *item);
/* A slot of a list or tuple just made by PyList_New / PyTuple_New. */
PPY_HOT(NOFAIL) void ppy_list_fill(PyObject *list, int64_t index, PPY_STOLEN PyObject *item);
PPY_HOT(NOFAIL) void ppy_tuple_fill(PyObject *tuple, int64_t index, PPY_STOLEN PyObject *item);
PPY_HOT(STATUS) int ppy_list_append(PyObject *list, PyObject *item);
/* A one-character string (CPython's own singletons below 256). */
PPY_COLD(NEW) PyObject *ppy_str_from_code(int64_t code_point);
PPY_COLD(NEW) PyObject *ppy_str_i64(int64_t v); /* str(v), repr(v) */
PPY_COLD(NEW) PyObject *ppy_str_f64(double v);  /* str(v), repr(v) */

/* ---- contexts, polls, GIL, stack ------------------------------------------------------------------------------------ */

/* The calling thread's context; entries call it once and pass it on.  NULL only without memory (exception set). */
PPY_HOT(SPECIAL) ppy_ctx *ppy_ctx_get(void);
PPY_COLD(SPECIAL) ppy_ctx *ppy_ctx_find(void);
/* Called when ctx->poll has counted down (loops share the counter and subtract their cost; 65536 is a fresh one): refills
 * the counter; runs signal handlers, pending calls and a scheduled collection; lets another thread in that waits.
 * Answers PPY_POLL_QUIET, PPY_POLL_RAISED, PPY_POLL_RAN.  A loop that calls functions should count more per iteration. */
PPY_COLD(SPECIAL) int ppy_poll(ppy_ctx *ctx);
/* The same in a stretch that touches no object: the first one lets the GIL go (ctx->gil_released becomes 1). */
PPY_COLD(SPECIAL) int ppy_poll_nogil(ppy_ctx *ctx);
/* Takes the GIL back if ppy_poll_nogil let it go: before anything else, on every way out of such a stretch. */
PPY_HOT(NOFAIL) void ppy_gil_take(ppy_ctx *ctx);
PPY_COLD(NOFAIL) void ppy_gil_take_slow(ppy_ctx *ctx);
/* 1 when the C stack is nearly used up: the function then calls itself through ppy_call_on_new_stack. */
PPY_HOT(NOFAIL) int ppy_stack_low(ppy_ctx *ctx);
/* Runs tramp(arg) on a fresh stack segment and comes back; -1: RecursionError, tramp did not run.  Depth ends at the
 * interpreter's recursion limit times 1 KiB of native stack, and never below the thread's own stack. */
PPY_COLD(STATUS) int ppy_call_on_new_stack(ppy_ctx *ctx, void (*tramp)(void *), void *arg);
PPY_COLD(FAILS) void ppy_recursion_error(void);
/* Guard stress mode: 1 at pseudo-random when PPY_FAIL_GUARDS is set, else 0.  Needs no GIL. */
PPY_COLD(NOFAIL) int ppy_fail_guard(ppy_ctx *ctx);

/* ---- array expressions ---------------------------------------------------------------------------------------------- */

/* A new array with the values of a fused expression, or NULL where NumPy's own operations have to run: nothing happened
 * then. `args`: an object for each operand, NULL for a number that is given in `words` (a double's bits, or an integer).
 * `loops`: zeroed memory for the library's inner loops that the kernel calls, filled in once. */
PPY_COLD(MAYBE) PyObject *ppy_tensor_map(void *kernel, const void *desc, PyObject *const *args, const int64_t *words,
                                         void *loops);
/* Zero, which no optimiser knows: kernels read it (see lower/tensor/elements.py). */
extern int64_t ppy_opaque_zero;
/* The same for the sum of all its values, a scalar of NumPy. */
PPY_COLD(MAYBE) PyObject *ppy_tensor_sum(void *kernel, const void *desc, PyObject *const *args, const int64_t *words,
                                         void *loops);
/* Calls one of those loops from a kernel. It may clear the floating-point flags that the kernel has raised; they stay. */
PPY_COLD(NOFAIL) void ppy_tensor_library(const void *loop, void *data, void *count, void *strides);

/* ---- elements of arrays, scalars of NumPy (scalars.c) --------------------------------------------------------------- */

/* Whether o is exactly a numpy.ndarray. The classes that are compared inline are filled in then. */
PPY_COLD(NOFAIL) int ppy_is_ndarray(PyObject *o);
/* A number that is Python's (.ok is 1) or of NumPy (2): a float or numpy.float64, an int of 64 bits or numpy.int64, a
 * bool or numpy.bool, each exactly; 0: it is none. */
PPY_COLD(SPECIAL) ppy_f64r ppy_unbox_any_f64(PyObject *o);
PPY_COLD(SPECIAL) ppy_i64r ppy_unbox_any_i64(PyObject *o);
PPY_COLD(SPECIAL) ppy_i64r ppy_unbox_any_bool(PyObject *o);
/* And back: of NumPy where `numpy` is not 0. */
PPY_COLD(NEW) PyObject *ppy_box_any_f64(double v, int64_t numpy);
PPY_COLD(NEW) PyObject *ppy_box_any_i64(int64_t v, int64_t numpy);
PPY_COLD(NEW) PyObject *ppy_box_any_bool(int64_t v, int64_t numpy);
/* Whether numpy.errstate says that underflow is no matter, as it does unless the program changed it. */
PPY_COLD(NOFAIL) int ppy_numpy_ignores_underflow(void);
/* x to the power of y as C has it. */
PPY_COLD(NOFAIL) double ppy_numpy_pow(double x, double y);

/* ---- activations, light frames, tracebacks --------------------------------------------------------------------------
 *
 * `lasti` is the byte offset of the instruction in the code object, as tb_lasti and f_lasti have it.  ppy_frame_enter
 * comes before a call into code that is not known to be frame-blind: the first one in an activation links a genuine
 * interpreter frame as the thread's current one, later ones store the offset.  The frame stays linked until ppy_act_clear,
 * which every way out of the function passes when the activation may have been entered or traced.  A frame object that
 * somebody kept stays valid.  Locals of such a frame read as unbound. */
PPY_HOT(NOFAIL) void ppy_frame_enter(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti);
/* The same before an operator on a and b (NULL: on a alone), unless these are builtin objects on which none runs Python
 * code (~, which may warn, is not among those operators). */
PPY_COLD(NOFAIL) void ppy_frame_enter_for(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *a,
                                          PyObject *b);
/* The same before a vector call without keywords, unless it is blind (ppy_frame_blind). */
PPY_COLD(NOFAIL) void ppy_frame_enter_call(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti,
                                           PyObject *callable, PyObject *const *args, size_t nargsf);
PPY_COLD(NOFAIL) void ppy_frame_link(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti);
PPY_HOT(NOFAIL) void ppy_act_clear(ppy_ctx *ctx, ppy_act *act);
PPY_COLD(NOFAIL) void ppy_frame_unlink(ppy_ctx *ctx, ppy_act *act);
/* Adds this activation's entry to the traceback of the exception that is set: once where it was raised or came back
 * from a call, in this activation, before the handler or the way out; not after ppy_reraise and ppy_restore. */
PPY_COLD(NOFAIL) void ppy_trace(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti);
/* 1: calling this object with these positional arguments can neither look at the caller's frame nor run Python code that
 * does (a table of builtin functions, methods and types, bound or not; no keywords). */
PPY_COLD(NOFAIL) int ppy_frame_blind(PyObject *callable, PyObject *const *args, int64_t nargs);

/* ---- exceptions ----------------------------------------------------------------------------------------------------- */

PPY_COLD(FAILS) void ppy_raise_unbound(int kind, PyObject *name);
/* `raise exc [from cause]`; cause NULL: none given. */
PPY_COLD(FAILS) void ppy_raise(PyObject *exc, PyObject *cause);
/* Bare `raise`: no ppy_trace after it, except (RuntimeError, no active exception) where it answers 1. */
PPY_COLD(SPECIAL) int ppy_reraise(ppy_ctx *ctx);
/* The exception that is set, as an object, normalised and with its traceback; none is set afterwards. */
PPY_COLD(NEW) PyObject *ppy_fetch(void);
/* Sets a fetched exception again, with the traceback it has. */
PPY_COLD(FAILS) void ppy_restore(PPY_STOLEN PyObject *exc);
/* `except type:` for a fetched exception. */
PPY_COLD(TRI) int ppy_exc_match(PyObject *exc, PyObject *type);
/* Makes exc the handled one (sys.exception()) and returns the former one, or None (new).  ppy_pop_exc puts it back. */
PPY_HOT(NOFAIL) PyObject *ppy_push_exc(ppy_ctx *ctx, PyObject *exc);
PPY_HOT(NOFAIL) void ppy_pop_exc(ppy_ctx *ctx, PPY_STOLEN PyObject *previous);
/* `except* type:`: splits exc; *match and *rest are new references (None where there is nothing). */
PPY_COLD(STATUS) int ppy_exc_group_match(PyObject *exc, PyObject *type, PyObject **match, PyObject **rest);
/* What an except* statement raises at its end, from the original exception and the list of raised and unhandled ones. */
PPY_COLD(NEW) PyObject *ppy_prep_reraise_star(PyObject *orig, PyObject *excs);
PPY_COLD(NOFAIL) PyObject *ppy_assertion_error(void); /* new reference to AssertionError */
/* Raises `type(text)`. */
PPY_COLD(FAILS) void ppy_raise_text(PyObject *type, const char *text);

/* ---- module names --------------------------------------------------------------------------------------------------- */

/* The object a module-level name means if that is known without a look-up; borrowed. */
PPY_HOT(BORROWED) PyObject *ppy_global_peek(ppy_unit *unit, int64_t cell);
PPY_HOT(NEW) PyObject *ppy_global_load(ppy_unit *unit, int64_t cell);
PPY_COLD(NEW) PyObject *ppy_global_load_slow(ppy_unit *unit, int64_t cell);
PPY_COLD(STATUS) int ppy_global_store(ppy_unit *unit, int64_t cell, PyObject *value);
PPY_COLD(STATUS) int ppy_global_del(ppy_unit *unit, int64_t cell);
/* The same for names in general mappings (exec'd code, class bodies); builtins are the unit's. */
PPY_COLD(NEW) PyObject *ppy_load_name(ppy_unit *unit, PyObject *locals, PyObject *name);
PPY_COLD(NEW) PyObject *ppy_load_class_deref(PyObject *locals, PyObject *cell, PyObject *name);
PPY_COLD(NEW) PyObject *ppy_load_build_class(ppy_unit *unit);
PPY_COLD(STATUS) int ppy_setup_annotations(PyObject *locals);

/* ---- closure cells -------------------------------------------------------------------------------------------------- */

PPY_HOT(BORROWED) PyObject *ppy_cell_peek(PyObject *cell);
/* kind: PPY_UNBOUND_LOCAL for a variable of this function, PPY_UNBOUND_FREE for one of an enclosing one. */
PPY_HOT(NEW) PyObject *ppy_cell_load(PyObject *cell, PyObject *name, int kind);
PPY_HOT(NOFAIL) void ppy_cell_store(PyObject *cell, PPY_STOLEN PyObject *value); /* value may be NULL: unbinds */
PPY_HOT(NOFAIL) PyObject *ppy_func_cell(PyObject *func, int64_t index);          /* borrowed: func.__closure__[index] */

/* ---- functions ------------------------------------------------------------------------------------------------------ */

/* A function object for the code at this preorder position; bound to its native entry when the unit has one.  Any of
 * defaults (tuple), kwdefaults (dict), annotations (dict, or tuple of names and values), closure (tuple of cells) may be
 * NULL. */
PPY_COLD(NEW) PyObject *ppy_make_function(ppy_unit *unit, int64_t code_index, PyObject *defaults, PyObject *kwdefaults,
                                          PyObject *annotations, PyObject *closure);
/* Binds one function object whose code is the unit's: 1 bound, 0 not one of them. */
PPY_COLD(NOFAIL) int ppy_bind(ppy_unit *unit, PyObject *func);
/* The same for a function of any unit, as ppy_runtime.binding asks for it. */
PPY_COLD(NOFAIL) int ppy_rebind(PyObject *func);
/* Gives a function object back to the interpreter. */
PPY_COLD(NOFAIL) void ppy_unbind(PyObject *func);
/* 3.11: binds the functions of a class just built (static and class methods, properties, nested classes included) or of
 * a dict.  Later Pythons bind functions when they are created, and this does nothing. */
PPY_COLD(NOFAIL) void ppy_bind_namespace(ppy_unit *unit, PyObject *class_or_dict);
/* 1: this object is a function bound to fn's entry and still has its code: a direct call of fn->fast is right.
 * Defaults are never assumed: ppy_func_default reads them. */
PPY_HOT(NOFAIL) int ppy_is_bound(PyObject *o, ppy_function *fn);
/* Default of positional parameter `index`, counted from the first parameter; NULL: it has none now. */
PPY_HOT(BORROWED) PyObject *ppy_func_default(PyObject *func, int64_t index);
PPY_COLD(BORROWED) PyObject *ppy_func_kwdefault(PyObject *func, PyObject *name);
/* 1: func still has fn's code (entries check it first on 3.11, where assigning __code__ is not announced). */
PPY_HOT(NOFAIL) int ppy_entry_valid(PyObject *func, ppy_function *fn);
/* Binds a vector call's arguments into fn->nargs slots: borrowed, but *args and **kwargs slots (the last ones) are new.
 * 0 done; -1: they do not fit (no exception, nothing owned): the entry returns ppy_call_original(...). */
PPY_COLD(SPECIAL) int ppy_bind_args(ppy_function *fn, PyObject *func, PyObject *const *args, size_t nargsf,
                                    PyObject *kwnames, PyObject **out);
/* The call as the interpreter makes it. */
PPY_COLD(NEW) PyObject *ppy_call_original(PyObject *func, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/* ---- calls ---------------------------------------------------------------------------------------------------------- */

/* func(*positional, **keywords) with any iterable and NULL or a mapping, with CPython's messages. */
PPY_COLD(NEW) PyObject *ppy_call_ex(PyObject *func, PyObject *positional, PyObject *keywords);
/* super(cls, self) for a zero-argument super(): the __class__ cell of the method, and its first argument. */
PPY_COLD(NEW) PyObject *ppy_super(PyObject *class_cell, PyObject *self);
/* `with` entry: result of __enter__ (new), *exit the bound __exit__ (new). */
PPY_COLD(NEW) PyObject *ppy_with_enter(PyObject *manager, PyObject **exit);
/* exit(type, exc, traceback), or exit(None, None, None) for None: its result (new). */
PPY_COLD(NEW) PyObject *ppy_with_exit(PyObject *exit, PyObject *exc);

/* ---- attributes -----------------------------------------------------------------------------------------------------
 *
 * Operations with a cache.  They enter the frame themselves, and only where the cache does not help. */

PPY_COLD(NEW) PyObject *ppy_getattr(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name,
                                    ppy_attr_cache *cache);
PPY_COLD(STATUS) int ppy_setattr(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name,
                                 PyObject *value, ppy_attr_cache *cache);
/* o.name for a call: 1 and *method an unbound method to call with o first, 0 and *method the attribute itself (both new),
 * -1 exception. */
PPY_COLD(TRI) int ppy_load_method(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, PyObject *o, PyObject *name,
                                  ppy_attr_cache *cache, PyObject **method);

/* ---- libraries that plugins model (library.c says what a slot is) ---------------------------------------------------- */

/* Whether o, or o's class, is the function or class that the library defined under the slot's name. */
PPY_COLD(NOFAIL) int ppy_is_library(PyObject **slot, PyObject *o);
PPY_COLD(NOFAIL) int ppy_is_library_instance(PyObject **slot, PyObject *o);
/* The address of a C function of the library, NULL where it is not there.  Called after the library was imported. */
PPY_COLD(NOFAIL) void *ppy_library_symbol(PyObject **slot);
/* The same for what an exact module holds under a name, or for o itself without a name; o may be NULL. */
PPY_COLD(NOFAIL) int ppy_is_library_at(PyObject **slot, PyObject *o, PyObject *name);
/* What an exact module holds under a name, without asking its __getattr__. */
PPY_COLD(MAYBE) PyObject *ppy_module_item(PyObject *module, PyObject *name);

/* ---- containers and iteration --------------------------------------------------------------------------------------- */

/* Items; these enter the frame themselves where Python code may run. */
PPY_COLD(NEW) PyObject *ppy_getitem(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *o,
                                    PyObject *key);
PPY_COLD(STATUS) int ppy_setitem(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *o, PyObject *key,
                                 PyObject *value);
/* o[index] where o is a builtin sequence and has it. */
PPY_COLD(MAYBE) PyObject *ppy_item_at(PyObject *o, int64_t index);
/* *out is a new reference when the answer is 1; 0: exhausted.  The first enters the frame itself where it must. */
PPY_COLD(TRI) int ppy_next(ppy_ctx *ctx, ppy_act *act, ppy_function *fn, int64_t lasti, PyObject *iterator,
                           PyObject **out);
PPY_HOT(TRI) int ppy_iter_next(PyObject *iterator, PyObject **out);
PPY_COLD(TRI) int ppy_iter_end(void); /* what no item means: 0 exhausted, -1 an exception other than StopIteration */
/* count new references in out. */
PPY_COLD(STATUS) int ppy_unpack_sequence(PyObject *value, int64_t count, PyObject **out);
/* before + 1 + after new references; the starred one is a list. */
PPY_COLD(STATUS) int ppy_unpack_ex(PyObject *value, int64_t before, int64_t after, PyObject **out);
PPY_COLD(STATUS) int ppy_list_extend(PyObject *list, PyObject *iterable);   /* [*iterable] */
PPY_COLD(STATUS) int ppy_set_update(PyObject *set, PyObject *iterable);     /* {*iterable} */
PPY_COLD(STATUS) int ppy_dict_update(PyObject *dict, PyObject *mapping);    /* {**mapping} */
PPY_COLD(STATUS) int ppy_dict_merge(PyObject *dict, PyObject *mapping, PyObject *func); /* func(**mapping) */
PPY_COLD(NEW) PyObject *ppy_get_slice(PyObject *o, PyObject *start, PyObject *stop);    /* o[start:stop] */
PPY_COLD(STATUS) int ppy_set_slice(PyObject *o, PyObject *start, PyObject *stop, PyObject *value);
/* range(start, stop, step) as it is iterated: number of elements; step is not 0. */
PPY_HOT(NOFAIL) uint64_t ppy_range_length(int64_t start, int64_t stop, int64_t step);
/* The live values of a failed guard become owned objects where they lie in the frame. records: for each, a kind and the place as a
 * little-endian 16-bit word index, ended by 0. Kinds: i u f b a word, unsigned word, double, truth to box (capitals: followed by the place of
 * the flag that tells whether it is present, else the place becomes NULL); o n an object to take a reference to (n: may be NULL). */
PPY_COLD(NOFAIL) void ppy_pack(void **frame, const char *records);
/* Counted loops of general bodies, see py.range_begin and py.range_next: state and item in out, new references. */
PPY_COLD(STATUS) int ppy_range_begin(PyObject *callee, PyObject *const *args, int64_t count, PyObject **out);
PPY_COLD(TRI) int ppy_range_next(PyObject *iterator, PyObject *current, PyObject *stop, PyObject *step, PyObject **out);
PPY_COLD(NEW) PyObject *ppy_make_dict(PyObject **keys_and_values, int64_t pairs);
PPY_COLD(NEW) PyObject *ppy_make_set(PyObject **items, int64_t count);
PPY_COLD(NEW) PyObject *ppy_make_list(PyObject **items, int64_t count);  /* increfs the items */
PPY_COLD(NEW) PyObject *ppy_make_tuple(PyObject **items, int64_t count); /* increfs the items */

/* ---- operators ------------------------------------------------------------------------------------------------------ */

/* `a op b` and `a op= b`; op as for ppy_int_op, PPY_POW included. */
PPY_COLD(NEW) PyObject *ppy_binary(int op, PyObject *a, PyObject *b);
PPY_COLD(NEW) PyObject *ppy_inplace(int op, PyObject *a, PyObject *b);
/* `a + b` (inplace: `a += b`) where a is used for the last time: strings grow in place, as in the interpreter. */
PPY_COLD(NEW) PyObject *ppy_add_last(PPY_STOLEN PyObject *a, PyObject *b, int inplace);
/* Truth of `a op b`, as `if a < b` takes it; op is Py_LT .. Py_GE. */
PPY_HOT(TRI) int ppy_compare_truth(PyObject *a, PyObject *b, int op);
PPY_COLD(TRI) int ppy_compare_truth_slow(PyObject *a, PyObject *b, int op);
/* `not o`: new reference to a bool. */
PPY_COLD(NEW) PyObject *ppy_not(PyObject *o);

/* ---- strings -------------------------------------------------------------------------------------------------------- */

/* One replacement field: conversion 0 or 's' 'r' 'a'; spec NULL for none. */
PPY_COLD(NEW) PyObject *ppy_format(PyObject *value, int conversion, PyObject *spec);
PPY_COLD(NEW) PyObject *ppy_build_string(PyObject **parts, int64_t count);

/* ---- imports -------------------------------------------------------------------------------------------------------- */

/* import statement; locals as the frame has them (the module dict at module level, else NULL). */
PPY_COLD(NEW) PyObject *ppy_import_name(ppy_unit *unit, PyObject *locals, PyObject *name, PyObject *fromlist,
                                        PyObject *level);
PPY_COLD(NEW) PyObject *ppy_import_from(PyObject *module, PyObject *name);
PPY_COLD(STATUS) int ppy_import_star(PyObject *module, PyObject *locals);

/* ---- match ---------------------------------------------------------------------------------------------------------- */

PPY_HOT(NOFAIL) int ppy_match_sequence(PyObject *subject);
PPY_HOT(NOFAIL) int ppy_match_mapping(PyObject *subject);
/* Tuple of the values, or None (new). */
PPY_COLD(NEW) PyObject *ppy_match_keys(PyObject *mapping, PyObject *keys);
/* Tuple of the attributes for `positional` sub-patterns and the names in kwnames, or None (new). */
PPY_COLD(NEW) PyObject *ppy_match_class(PyObject *subject, PyObject *type, int64_t positional, PyObject *kwnames);

/* ---- loading -------------------------------------------------------------------------------------------------------- */

/* Compares this build with the running interpreter: PPY_CHECK_OK or the first reason against; raises nothing. */
PPY_COLD(SPECIAL) int ppy_support_check(void);
/* What the last ppy_support_check found, as text. */
PPY_COLD(SPECIAL) const char *ppy_support_reason(void);
PPY_COLD(SPECIAL) int ppy_support_abi(void);
/* Runs a unit as the module body of `dict`: None, or NULL with the exception, or NotImplemented where the unit cannot run
 * here (another Python, a failed check, a dict other than the first one, codes that do not match): nothing was changed
 * then, and the caller runs the source.  module_code is the code object of the whole module. */
PPY_COLD(NEW) PyObject *ppy_unit_exec(ppy_unit *unit, PyObject *dict, PyObject *module_code, PyObject *name);

/* callable(*arguments) as if nothing called it: the frames below are out of sight, and their levels of the recursion limit
 * given back, until it returns. */
PPY_COLD(NEW) PyObject *ppy_call_alone(PyObject *callable, PyObject *arguments);
/* From now on units keep no namespace alive: for the end of the process, so that modules go as under CPython. */
PPY_COLD(NOFAIL) void ppy_let_go(void);

#include "ppy_arithmetic.h"
#include "ppy_threads.h"
#include "ppy_capi.h"

#endif
