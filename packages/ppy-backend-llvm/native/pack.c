/* Boxing the live values of a failed guard where they lie. */
#include "ppy_private.h"

static uint64_t
place_in(const unsigned char *records)
{
    return (uint64_t)records[0] | (uint64_t)records[1] << 8;
}

static PyObject *
boxed_word(int kind, void *word, int64_t numpy)
{
    double number;
    switch (kind) {
    case 'x':
        memcpy(&number, &word, sizeof number);
        return ppy_box_any_f64(number, numpy);
    case 'y':
        return ppy_box_any_i64((int64_t)word, numpy);
    case 'z':
        return ppy_box_any_bool((int64_t)word, numpy);
    case 'i':
        return ppy_box_i64((int64_t)word);
    case 'u':
        return ppy_box_u64((uint64_t)word);
    case 'f':
        memcpy(&number, &word, sizeof number);
        return ppy_box_f64(number);
    default:
        return ppy_box_bool((int64_t)word);
    }
}

void
ppy_pack(void **frame, const char *records)
{
    const unsigned char *next = (const unsigned char *)records;
    while (*next != 0) {
        int kind = *next;
        void **word = &frame[place_in(next + 1)];
        next += 3;
        if (kind == 'o' || kind == 'n') {
            Py_XINCREF((PyObject *)*word);
            continue;
        }
        int64_t numpy = 0;
        if ((kind | 'a' - 'A') >= 'x') { /* a scalar of Python or NumPy: the first flag says which */
            numpy = (int64_t)frame[place_in(next)];
            next += 2;
        }
        if (kind < 'a') { /* a scalar that may be absent: its flag says so */
            void *present = frame[place_in(next)];
            next += 2;
            if (present == NULL) {
                *word = NULL;
                continue;
            }
            kind += 'a' - 'A';
        }
        PyObject *object = boxed_word(kind, *word, numpy);
        if (object == NULL) {
            Py_FatalError("no memory for the values of a native function");
        }
        *word = object;
    }
}
