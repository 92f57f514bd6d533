/* The C counterpart of timing.py: each line on standard input asks for one run. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

#define MAIN(TYPE, FORMAT)                                                                          \
    int main(int argc, char **argv) {                                                               \
        TYPE (*volatile call)(int64_t) = kernel; /* opaque: no call leaves the timed region */      \
        int64_t argument = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;                               \
        for (int c; (c = getchar()) != EOF;) {                                                      \
            if (c != '\n') continue;                                                                \
            double begin = cpu_seconds();                                                           \
            TYPE result = call(argument);                                                           \
            printf("%" FORMAT " %.9f\n", result, cpu_seconds() - begin);                            \
            fflush(stdout);                                                                         \
        }                                                                                           \
        return 0;                                                                                   \
    }
