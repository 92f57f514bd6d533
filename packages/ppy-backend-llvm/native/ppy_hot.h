/* Declarations and definitions of the inlined part.  PPY_HOT_DEF says how they are to be defined: plain in hot.c, static
 * inline in the sources of the library that use them. */
#ifndef PPY_HOT_H
#define PPY_HOT_H

#ifndef PPY_HOT_DEF
#define PPY_HOT_DEF static inline __attribute__((always_inline))
#define PPY_HOT(convention) static inline
#endif
#include "ppy_support.h"
#include "hot_numbers.h"
#include "hot_objects.h"
#include "hot_runtime.h"

#endif
