/* The inlined part: compiled to IR that is linked into every unit's module. */
#include "ppy_internal.h"
#define PPY_HOT_DEF __attribute__((always_inline))
#include "ppy_hot.h"
