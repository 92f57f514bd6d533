/* The data that emitted code and the support library share.
 *
 * Everything here is laid out the same on every supported Python, so the backend emits it from one description.  Fields
 * after a "runtime" comment are emitted as zero and filled by the library.
 */
#ifndef PPY_TYPES_H
#define PPY_TYPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define PPY_SUPPORT_ABI 1

/* Status of a native call: the second member of what `fastcc (ctx, args...) -> {value, status}` returns. */
enum { PPY_OK = 0, PPY_RAISED = 1, PPY_BOXED = 2 /* the result is an owned object in ctx->boxed */ };

/* A thread's native state.  Offsets are part of the ABI: emitted code reads stack_limit (0), tstate (8), poll (16),
 * boxed (24), gil_released (32) and fail_seed (40) directly. */
typedef struct ppy_ctx {
    uintptr_t stack_limit;  /* a frame address below this one must not go deeper */
    PyThreadState *tstate;
    int64_t poll;           /* down-counter that loops share; at 0 they call ppy_poll, which refills it */
    PyObject *boxed;        /* owned result of a call whose status is PPY_BOXED */
    int32_t gil_released;   /* set while ppy_poll_nogil has let the GIL go */
    int32_t is_main;        /* 1 on the thread that runs signal handlers */
    uint64_t fail_seed;     /* 0, or the state of the guard stress mode */
    /* private to the library */
    uintptr_t stack_end;    /* where the stack segment in use has no more room: stack_limit, unless levels are counted */
    int64_t segment_bytes;  /* bytes of stack in the segments before the one in use */
    uint64_t thread_id;     /* PyThreadState.id: tells a new thread from a dead one at the same address */
    void *spare_segment;    /* a stack segment kept for the next time */
    struct ppy_ctx *next;
} ppy_ctx;

/* One activation of a native function, zero-initialised on the C stack of that function (16 bytes).  Nothing is done
 * with it until a call that may look at frames, or an exception, needs the activation to be visible. */
typedef struct ppy_act {
    struct _PyInterpreterFrame *frame; /* linked frame, or NULL */
    uintptr_t where;                   /* private: how the frame was allocated */
} ppy_act;

typedef struct ppy_unit ppy_unit;

/* Bits of ppy_function.flags. */
enum {
    PPY_FN_VARARGS = 1,    /* has *args: one owned slot after the keyword-only slots */
    PPY_FN_VARKEYWORDS = 2 /* has **kwargs: one owned slot after that */
};

/* What a unit says about one of its functions (the module body included: code_index 0). */
typedef struct ppy_function {
    vectorcallfunc entry; /* the entry that CPython calls; NULL for the module body */
    void *fast;           /* native fast body, or NULL (the library does not call it) */
    void *twin;           /* general body, or NULL (the library does not call it) */
    int32_t code_index;   /* preorder position of its code object among the module's nested ones; 0 is the module */
    int32_t flags;
    int32_t nargs;        /* slots that ppy_bind_args fills: positional + keyword-only + *args + **kwargs */
    int32_t reserved;
    /* runtime */
    PyCodeObject *code;   /* owned */
    PyObject *frame_func; /* owned: private function object that frames of this function hold */
    ppy_unit *unit;
} ppy_function;

/* A module-level name that the unit reads, stores or deletes.  `value` is what ppy_global_peek returns: the object the
 * name means now (module dict, then builtins), or NULL for "not known: ask". */
typedef struct ppy_cell {
    PyObject *value;    /* runtime: borrowed from the dict */
    PyObject *name;     /* runtime: borrowed from consts, interned */
    int64_t name_const; /* index of the name among the unit's constants */
} ppy_cell;

/* One compiled module: a mutable global that the backend emits. */
struct ppy_unit {
    uint32_t abi;            /* PPY_SUPPORT_ABI */
    uint32_t python;         /* PY_VERSION_HEX >> 16 it was compiled for, e.g. 0x030B */
    const char *marshalled;  /* marshal.dumps(tuple of constants), for this Python */
    int64_t marshalled_size;
    PyObject **consts;       /* nconsts slots, filled with owned references */
    int64_t nconsts;
    ppy_function *functions;
    int64_t nfunctions;
    ppy_cell *cells;
    int64_t ncells;
    PyObject *(*body)(ppy_ctx *ctx, ppy_unit *unit, PyObject *dict); /* new reference (None) or NULL */
    /* runtime */
    PyObject *dict;           /* owned: the module's __dict__ */
    PyObject *builtins;       /* owned: the builtins dict that the module's functions use */
    uint64_t globals_version; /* 3.11: version of dict, and of builtins, for which the cells' values hold */
    uint64_t builtins_version;
    PyCodeObject **codes;     /* owned: the module's code objects in preorder */
    int64_t ncodes;
    ppy_function **by_code;   /* ncodes slots: the native function of a code object, or NULL */
    ppy_unit *next;
    int64_t watched;          /* 1 when dict watchers keep the cells */
    int64_t let_go;           /* 1 when dict is borrowed: ppy_let_go */
};

/* What an operation on an attribute remembers (attributes.c): one per operation and body, beside the code. */
typedef struct ppy_attr_cache {
    int32_t lasti;         /* emitted: bytecode offset of the operation */
    /* runtime */
    int32_t pause;         /* misses to go before the cache learns again */
    int32_t kind;
    uint32_t type_version; /* 0: nothing is known */
    uint32_t place;
    uint32_t guard;
    PyObject *value;       /* borrowed; alive as long as the version holds */
} ppy_attr_cache;

/* Results in registers.  What `ok` means is said by each function's convention. */
typedef struct { int64_t value; int64_t ok; } ppy_i64r;
typedef struct { double value; int64_t ok; } ppy_f64r;

/* The loop of a compiled function, a chunk of it (regions.c). */
typedef int64_t (*ppy_region_body)(ppy_ctx *ctx, void *captures, int64_t lo, int64_t hi, int64_t *partial);

/* Kinds of unbound variable, for ppy_raise_unbound. */
enum { PPY_UNBOUND_LOCAL = 0, PPY_UNBOUND_FREE = 1, PPY_UNBOUND_NAME = 2 };

/* Operations named to ppy_int_raise and ppy_int_op. */
enum {
    PPY_ADD = 0, PPY_SUB = 1, PPY_MUL = 2, PPY_TRUEDIV = 3, PPY_FLOORDIV = 4, PPY_MOD = 5, PPY_DIVMOD = 6,
    PPY_POW = 7, PPY_LSHIFT = 8, PPY_RSHIFT = 9, PPY_AND = 10, PPY_OR = 11, PPY_XOR = 12, PPY_MATMUL = 13
};

/* What ppy_poll answers. */
enum { PPY_POLL_QUIET = 0, PPY_POLL_RAISED = 1, PPY_POLL_RAN = 2 /* something ran: treat as a failed guard */ };

/* What ppy_support_check answers. */
enum {
    PPY_CHECK_OK = 0, PPY_CHECK_VERSION = 1, PPY_CHECK_ABIFLAGS = 2, PPY_CHECK_LAYOUT = 3, PPY_CHECK_INTERPRETER = 4,
    PPY_CHECK_MEMORY = 5
};

#endif
