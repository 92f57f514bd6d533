/* The first half of the library: what calls and loops pass through, and arithmetic.  Compiled for speed. */
#include "ppy_private.h"

vectorcallfunc ppy_original_vectorcall;
PyObject *ppy_empty_cell;
int ppy_binding_off, ppy_exact_headers, ppy_breaker_known;

#include "context.c"
#include "levels.c"
#include "frames.c"
#include "functions.c"
#include "map.c"
#include "numbers.c"
#include "globals.c"
#include "attributes.c"
#include "items.c"
#include "ranges.c"
#include "loops.c"
#include "arrays.c"
#include "scalars.c"
#include "sums.c"
#include "library.c"
