/* What the sources of the library share among themselves. */
#ifndef PPY_PRIVATE_H
#define PPY_PRIVATE_H

#include "ppy_internal.h"
#include "ppy_hot.h"

/* A map from pointers to pointers (open addressing; entries are never removed). */
typedef struct { const void **keys; void **values; size_t mask, used; } ppy_map;
static void *ppy_map_get(const ppy_map *map, const void *key);
static int ppy_map_put(ppy_map *map, const void *key, void *value); /* -1: MemoryError set */

/* The interpreter's own vector call of functions; learnt by ppy_support_check. */
static vectorcallfunc ppy_original_vectorcall;
/* 1 while a function is created that must not be bound. */
static int ppy_binding_off;
/* 1: this very patch release is the one whose private headers were used. */
static int ppy_exact_headers;
/* 1: the interpreter's eval breaker is where the headers say (3.11, 3.12; always on 3.13). */
static int ppy_breaker_known;

/* functions.c */
static int ppy_functions_ready(void);
static int ppy_register_functions(ppy_unit *unit);
/* globals.c */
static int ppy_watch_unit(ppy_unit *unit);
static void ppy_forget_cells(ppy_unit *unit);
/* errors.c */
static void ppy_name_error(PyObject *type, const char *format, PyObject *name);
static void ppy_drop_outer_entry(void);
static int check_catchable(PyObject *type); /* TypeError unless `except type` may stand */
static PyObject *ppy_builtin_type_call(PyObject *type, PyObject *a, PyObject *b);

#endif
