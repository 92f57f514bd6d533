/* What the kernels of array expressions and the library share. `ppy_compiler.lower.tensor.abi` says the same. */
#ifndef PPY_TENSOR_H
#define PPY_TENSOR_H

#include <stdint.h>

/* One operand of a fused array expression. */
typedef struct ppy_tensor_operand {
    int32_t kind;      /* PPY_OPERAND_... */
    int32_t number;    /* an array's type, as NumPy numbers it */
    int32_t form;      /* a number: as what the kernel reads it, PPY_FORM_... */
    int32_t size;      /* bytes of that */
    int32_t is_signed; /* an integer of that form */
} ppy_tensor_operand;

/* A fused array expression, emitted beside its kernel. */
typedef struct ppy_tensor_desc {
    int32_t operands;
    int32_t result; /* the type of the result, as NumPy numbers it */
    int32_t cost;   /* of one element, in tenths of a nanosecond */
    int32_t quiet;  /* floating-point flags that only tell of quiet comparisons */
    int32_t sum;    /* what a sum is for, PPY_SUM_... */
    int32_t size;   /* bytes of an element of the result */
    int32_t loops;  /* inner loops of the library that the kernel calls, behind the operands */
    ppy_tensor_operand operand[];
} ppy_tensor_desc;

/* An inner loop as it is named, and as it was found: numpy/ufuncobject.h, PyUFuncGenericFunction. */
typedef struct ppy_tensor_loop_name { char function[24]; char types[8]; } ppy_tensor_loop_name;
typedef struct ppy_tensor_loop {
    void (*function)(char **data, const intptr_t *count, const intptr_t *strides, void *context);
    void *context;
} ppy_tensor_loop;

/* Computes n elements of the result (data[0]) from the operands (data[1] ...), each at its stride in bytes. Answers 0, or
 * something else where a value needs NumPy. Called without the GIL, on any thread. */
typedef int64_t (*ppy_tensor_kernel)(char *const *data, const int64_t *strides, int64_t n, const ppy_tensor_loop *loops);

enum { PPY_OPERAND_ARRAY = 0, PPY_OPERAND_FLOAT = 1, PPY_OPERAND_INT = 2 };
enum { PPY_SUM_ITSELF = 0, PPY_SUM_MEAN = 1 };
enum { PPY_FORM_F64 = 0, PPY_FORM_F32 = 1, PPY_FORM_INT = 2 };
enum { PPY_NOGIL_COST = 500000 }; /* work, in tenths of a nanosecond, worth letting the GIL go: 50 us */

#endif
