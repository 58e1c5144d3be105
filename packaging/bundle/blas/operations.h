/* The operations for one kind of NUMBER; `blas.c` includes this once for each. NAME(x) is x with its letter. */

FAST static NUMBER NAME(product)(int64_t n, const NUMBER *x, int64_t step_x, const NUMBER *y, int64_t step_y) {
    NUMBER sum = 0;
    if (step_x == 1 && step_y == 1) {
#pragma omp simd reduction(+ : sum)
        for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
        return sum;
    }
    for (int64_t i = 0; i < n; i++) sum += x[i * step_x] * y[i * step_y];
    return sum;
}

/* c = alpha * a b + beta * c. a is m by depth, b depth by n. Of each row i of c only columns up to i are written where
 * `part` is LOWER, only columns from i on where it is UPPER. */
static void NAME(multiply)(int64_t m, int64_t n, int64_t depth, NUMBER alpha, const NUMBER *a, Steps in_a, const NUMBER *b,
                           Steps in_b, NUMBER beta, NUMBER *c, Steps in_c, int part) {
    for (int64_t i = 0; i < m; i++) {
        int64_t from = part == UPPER ? i : 0, to = part == LOWER ? i + 1 : n;
        for (int64_t j = from; j < to; j++) {
            const NUMBER *row = a + i * in_a.row, *column = b + j * in_b.column;
            NUMBER *place = c + i * in_c.row + j * in_c.column;
            NUMBER kept = beta == 0 ? 0 : beta * *place;
            *place = alpha * NAME(product)(depth, row, in_a.column, column, in_b.row) + kept;
        }
    }
}

NUMBER BLAS(dot)(int64_t n, const NUMBER *x, int64_t step_x, const NUMBER *y, int64_t step_y) {
    return NAME(product)(n, x + first(n, step_x), step_x, y + first(n, step_y), step_y);
}

void BLAS(axpy)(int64_t n, NUMBER alpha, const NUMBER *x, int64_t step_x, NUMBER *y, int64_t step_y) {
    x += first(n, step_x);
    y += first(n, step_y);
    for (int64_t i = 0; i < n; i++) y[i * step_y] += alpha * x[i * step_x];
}

void BLAS(gemv)(int order, int transpose, int64_t m, int64_t n, NUMBER alpha, const NUMBER *a, int64_t leading,
                const NUMBER *x, int64_t step_x, NUMBER beta, NUMBER *y, int64_t step_y) {
    int64_t rows = transpose == NO_TRANSPOSE ? m : n, columns = transpose == NO_TRANSPOSE ? n : m;
    NAME(multiply)(rows, 1, columns, alpha, a, steps(order, transpose, leading), x + first(columns, step_x),
                   (Steps){step_x, 0}, beta, y + first(rows, step_y), (Steps){step_y, 0}, WHOLE);
}

void BLAS(gemm)(int order, int transpose_a, int transpose_b, int64_t m, int64_t n, int64_t depth, NUMBER alpha,
                const NUMBER *a, int64_t leading_a, const NUMBER *b, int64_t leading_b, NUMBER beta, NUMBER *c,
                int64_t leading_c) {
    NAME(multiply)(m, n, depth, alpha, a, steps(order, transpose_a, leading_a), b, steps(order, transpose_b, leading_b),
                   beta, c, steps(order, NO_TRANSPOSE, leading_c), WHOLE);
}

/* A matrix times itself turned over; the result is its own mirror image, so half of it is enough. */
void BLAS(syrk)(int order, int half, int transpose, int64_t n, int64_t depth, NUMBER alpha, const NUMBER *a,
                int64_t leading_a, NUMBER beta, NUMBER *c, int64_t leading_c) {
    Steps in_a = steps(order, transpose, leading_a), turned = {in_a.column, in_a.row};
    NAME(multiply)(n, n, depth, alpha, a, in_a, a, turned, beta, c, steps(order, NO_TRANSPOSE, leading_c), half);
}
