/* What Scrubjay needs of a BLAS, in place of the 28 MB of OpenBLAS and its Fortran libraries that numpy's wheel brings.
 *
 * Scrubjay multiplies small real matrices only (at most some hundred rows of 384 numbers), so a plain loop that the
 * compiler turns into vector instructions will do. Names and arguments are those of the C interface to the BLAS
 * (https://www.netlib.org/blas/#_cblas) as numpy's wheel has them, with 64-bit sizes. `small_blas.py` compiles this, and
 * adds a function that refuses for everything else that numpy links to: complex numbers, and solving equations.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WHOLE = 0, ROW_MAJOR = 101, NO_TRANSPOSE = 111, UPPER = 121, LOWER = 122 };

#if defined(__x86_64__)
#define FAST __attribute__((target_clones("arch=haswell", "default")))
#else
#define FAST
#endif

/* Element (i, k) of a matrix lies at i * row + k * column. */
typedef struct {
    int64_t row, column;
} Steps;

static Steps steps(int order, int transpose, int64_t leading) {
    int by_rows = (order == ROW_MAJOR) == (transpose == NO_TRANSPOSE);
    return by_rows ? (Steps){leading, 1} : (Steps){1, leading};
}

/* Where a vector of n numbers begins: with a negative step, at its far end. */
static int64_t first(int64_t n, int64_t step) { return step < 0 ? (1 - n) * step : 0; }

void refuse(const char *name) {
    fprintf(stderr, "%s is not in this build of numpy: Scrubjay does without it.\n", name);
    abort();
}

#define NUMBER float
#define NAME(operation) s##operation
#define BLAS(operation) scipy_cblas_s##operation##64_
#include "operations.h"
#undef NUMBER
#undef NAME
#undef BLAS

#define NUMBER double
#define NAME(operation) d##operation
#define BLAS(operation) scipy_cblas_d##operation##64_
#include "operations.h"
