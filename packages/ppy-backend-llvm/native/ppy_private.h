/* What the sources of the library share among themselves.  The library is two translation units (calls.c, support.c): one
 * is compiled for speed, the other for size. */
#ifndef PPY_PRIVATE_H
#define PPY_PRIVATE_H

#include "ppy_internal.h"
#include "ppy_hot.h"

#define PPY_SHARED __attribute__((visibility("hidden")))

#ifdef PPY_SOURCES
/* The digest of these sources, so that a test can tell an object that is not current. */
static const char ppy_sources[] __attribute__((used)) = "Sources: " PPY_SOURCES;
#endif

/* A map from pointers to pointers (open addressing; entries are never removed). */
typedef struct { const void **keys; void **values; size_t mask, used; } ppy_map;
PPY_SHARED void *ppy_map_get(const ppy_map *map, const void *key);
PPY_SHARED int ppy_map_put(ppy_map *map, const void *key, void *value); /* -1: MemoryError set */

/* The interpreter's own vector call of functions; learnt by ppy_support_check. */
extern PPY_SHARED vectorcallfunc ppy_original_vectorcall;
/* 1 while a function is created that must not be bound. */
extern PPY_SHARED int ppy_binding_off;
/* 1: this very patch release is the one whose private headers were used. */
extern PPY_SHARED int ppy_exact_headers;
/* 1: the interpreter's eval breaker is where the headers say (3.11, 3.12; always on 3.13). */
extern PPY_SHARED int ppy_breaker_known;

/* A cell without content, for free variables in frames; made by ppy_support_check. */
extern PPY_SHARED PyObject *ppy_empty_cell;

/* context.c */
PPY_SHARED void ppy_find_holder(void);
PPY_SHARED int ppy_urgent(ppy_ctx *ctx); /* a request that must not wait until the GIL is taken back; needs no GIL */
PPY_SHARED void ppy_count_levels(int counting);
/* levels.c */
extern PPY_SHARED int ppy_counting; /* 1: the recursion limit is so low that native levels count, too */
PPY_SHARED void ppy_watch_limit(void);
PPY_SHARED int ppy_call_counted(ppy_ctx *ctx, void (*tramp)(void *), void *arg);
/* threads.c */
#define PPY_MOST_CHUNKS 128
/* functions.c */
PPY_SHARED int ppy_functions_ready(void);
PPY_SHARED int ppy_register_functions(ppy_unit *unit);
PPY_SHARED void ppy_forget_functions(ppy_unit *unit);
/* globals.c */
PPY_SHARED int ppy_watch_unit(ppy_unit *unit);
PPY_SHARED void ppy_forget_cells(ppy_unit *unit);
/* call_operations.c */
PPY_SHARED PyObject *ppy_function_text(PyObject *func); /* "f()" as messages name a callable */
/* errors.c */
PPY_SHARED void ppy_name_error(PyObject *type, const char *format, PyObject *name);
PPY_SHARED void ppy_drop_outer_entry(void);
PPY_SHARED int check_catchable(PyObject *type); /* TypeError unless `except type` may stand */
PPY_SHARED PyObject *ppy_builtin_type_call(PyObject *type, PyObject *a, PyObject *b);

#endif
