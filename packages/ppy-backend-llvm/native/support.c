/* The second half of the library: operations that cost more than the code around them.  Generated without optimising code
 * generation, which takes a tenth of the time; clang has optimised the IR. */
#include "ppy_private.h"
#include "errors.c"
#include "except_star.c"
#include "math.c"
#include "call_operations.c"
#include "operations.c"
#include "pack.c"
#include "imports.c"
#include "match.c"
#include "blind.c"
#include "unit.c"
