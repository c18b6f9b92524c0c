/* Strassen's matrix product: recursive tasks, ordered by depend clauses.
 *
 * A level cuts the matrices into quadrants, forms ten sums of them, seven products by recursion,
 * and puts those together; each is a task down to a given depth. The tags are the pointer
 * variables of the call, not what they point to, and operands have row widths of their own.
 *
 * usage: strassen [N [LEAF [DEPTH]]]
 */
#include <omp.h>

#include "../harness.h"

enum { TEMPORARIES = 17 };

/* target = left + sign * right, square. */
static void combine(double *target, unsigned width, const double *left, unsigned left_width,
                    double sign, const double *right, unsigned right_width, unsigned side)
{
    for (unsigned i = 0; i < side; i++) {
        for (unsigned j = 0; j < side; j++) {
            target[i * width + j] = left[i * left_width + j] + sign * right[i * right_width + j];
        }
    }
}

/* The product by its definition, for leaves. */
static void multiply_plainly(double *c, const double *a, const double *b, unsigned side,
                             unsigned width_c, unsigned width_a, unsigned width_b)
{
    for (unsigned i = 0; i < side; i++) {
        for (unsigned j = 0; j < side; j++) {
            double sum = a[i * width_a] * b[j];
            for (unsigned k = 1; k < side; k++) {
                sum += a[i * width_a + k] * b[k * width_b + j];
            }
            c[i * width_c + j] = sum;
        }
    }
}

static void multiply(double *c, double *a, double *b, unsigned side, unsigned width_c,
                     unsigned width_a, unsigned width_b, unsigned depth, unsigned leaf)
{
    unsigned half = side / 2, row, column;
    size_t piece = (size_t)half * half;
    double *a12, *a21, *a22, *b12, *b21, *b22, *c12, *c21, *c22;
    double *s1, *s2, *s3, *s4, *s5, *s6, *s7, *s8, *s9, *s10, *m1, *m2, *m3, *m4, *m5, *m6, *m7;
    double *room, *end;

    if (side <= leaf || side % 2 != 0) {
        multiply_plainly(c, a, b, side, width_c, width_a, width_b);
        return;
    }
    a12 = a + half;
    b12 = b + half;
    c12 = c + half;
    a21 = a + (size_t)width_a * half;
    b21 = b + (size_t)width_b * half;
    c21 = c + (size_t)width_c * half;
    a22 = a21 + half;
    b22 = b21 + half;
    c22 = c21 + half;

    room = end = zeroed(TEMPORARIES * piece, sizeof *room);
    double **places[TEMPORARIES] = {&s1, &s2,  &s3, &s4, &s5, &s6, &s7, &s8, &s9,
                                    &s10, &m1, &m2, &m3, &m4, &m5, &m6, &m7};
    for (int i = 0; i < TEMPORARIES; i++) {
        *places[i] = end;
        end += piece;
    }

    if (depth > 0) {
#pragma omp task depend(in : a, a22) depend(out : s1) private(row, column)
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                s1[row * half + column] = a[row * width_a + column] + a22[row * width_a + column];
            }
        }
#pragma omp task depend(in : b, b22) depend(out : s2) private(row, column)
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                s2[row * half + column] = b[row * width_b + column] + b22[row * width_b + column];
            }
        }
#pragma omp task depend(in : a21, a22) depend(out : s3) private(row, column)
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                s3[row * half + column] = a21[row * width_a + column] + a22[row * width_a + column];
            }
        }
#pragma omp task depend(in : b12, b22) depend(out : s4)
        combine(s4, half, b12, width_b, -1.0, b22, width_b, half);
#pragma omp task depend(in : b21, b) depend(out : s5)
        combine(s5, half, b21, width_b, -1.0, b, width_b, half);
#pragma omp task depend(in : a, a12) depend(out : s6)
        combine(s6, half, a, width_a, 1.0, a12, width_a, half);
#pragma omp task depend(in : a21, a) depend(out : s7)
        combine(s7, half, a21, width_a, -1.0, a, width_a, half);
#pragma omp task depend(in : b, b12) depend(out : s8)
        combine(s8, half, b, width_b, 1.0, b12, width_b, half);
#pragma omp task depend(in : a12, a22) depend(out : s9)
        combine(s9, half, a12, width_a, -1.0, a22, width_a, half);
#pragma omp task depend(in : b21, b22) depend(out : s10)
        combine(s10, half, b21, width_b, 1.0, b22, width_b, half);

#pragma omp task untied depend(in : s1, s2) depend(out : m1)
        multiply(m1, s1, s2, half, half, half, half, depth - 1, leaf);
#pragma omp task untied depend(in : s3, b) depend(out : m2)
        multiply(m2, s3, b, half, half, half, width_b, depth - 1, leaf);
#pragma omp task untied depend(in : a, s4) depend(out : m3)
        multiply(m3, a, s4, half, half, width_a, half, depth - 1, leaf);
#pragma omp task untied depend(in : a22, s5) depend(out : m4)
        multiply(m4, a22, s5, half, half, width_a, half, depth - 1, leaf);
#pragma omp task untied depend(in : s6, b22) depend(out : m5)
        multiply(m5, s6, b22, half, half, half, width_b, depth - 1, leaf);
#pragma omp task untied depend(in : s7, s8) depend(out : m6)
        multiply(m6, s7, s8, half, half, half, half, depth - 1, leaf);
#pragma omp task untied depend(in : s9, s10) depend(out : m7)
        multiply(m7, s9, s10, half, half, half, half, depth - 1, leaf);

#pragma omp task depend(in : m1, m4, m5, m7) depend(out : c) private(row, column)
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                c[row * width_c + column] = m1[row * half + column] + m4[row * half + column]
                                            - m5[row * half + column] + m7[row * half + column];
            }
        }
#pragma omp task depend(in : m3, m5) depend(out : c12)
        combine(c12, width_c, m3, half, 1.0, m5, half, half);
#pragma omp task depend(in : m2, m4) depend(out : c21)
        combine(c21, width_c, m2, half, 1.0, m4, half, half);
#pragma omp task depend(in : m1, m2, m3, m6) depend(out : c22) private(row, column)
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                c22[row * width_c + column] = m1[row * half + column] - m2[row * half + column]
                                              + m3[row * half + column] + m6[row * half + column];
            }
        }
#pragma omp taskwait
    } else {
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                size_t in_a = row * width_a + column, in_b = row * width_b + column;
                size_t here = row * half + column;
                s1[here] = a[in_a] + a22[in_a];
                s2[here] = b[in_b] + b22[in_b];
                s3[here] = a21[in_a] + a22[in_a];
                s4[here] = b12[in_b] - b22[in_b];
                s5[here] = b21[in_b] - b[in_b];
                s6[here] = a[in_a] + a12[in_a];
                s7[here] = a21[in_a] - a[in_a];
                s8[here] = b[in_b] + b12[in_b];
                s9[here] = a12[in_a] - a22[in_a];
                s10[here] = b21[in_b] + b22[in_b];
            }
        }
        multiply(m1, s1, s2, half, half, half, half, 0, leaf);
        multiply(m2, s3, b, half, half, half, width_b, 0, leaf);
        multiply(m3, a, s4, half, half, width_a, half, 0, leaf);
        multiply(m4, a22, s5, half, half, width_a, half, 0, leaf);
        multiply(m5, s6, b22, half, half, half, width_b, 0, leaf);
        multiply(m6, s7, s8, half, half, half, half, 0, leaf);
        multiply(m7, s9, s10, half, half, half, half, 0, leaf);
        for (row = 0; row < half; row++) {
            for (column = 0; column < half; column++) {
                size_t in_c = row * width_c + column, here = row * half + column;
                c[in_c] = m1[here] + m4[here] - m5[here] + m7[here];
                c12[in_c] = m3[here] + m5[here];
                c21[in_c] = m2[here] + m4[here];
                c22[in_c] = m1[here] - m2[here] + m3[here] + m6[here];
            }
        }
    }
    free(room);
}

void strassen(double *c, double *a, double *b, unsigned side, unsigned leaf, unsigned depth)
{
#pragma omp parallel
#pragma omp master
    multiply(c, a, b, side, side, side, side, depth, leaf);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int leaf = argc > 2 ? atoi(argv[2]) : 64;
    int depth = argc > 3 ? atoi(argv[3]) : 3;
    if (n < 1 || n > 16384 || leaf < 1 || depth < 0) {
        fprintf(stderr, "usage: %s [N [LEAF [DEPTH]]]\n", argv[0]);
        return 2;
    }
    size_t count = (size_t)n * n;
    double *a = zeroed(count, sizeof *a);
    double *b = zeroed(count, sizeof *b);
    double *c = zeroed(count, sizeof *c);
    uint64_t state = 1969;
    for (size_t i = 0; i < count; i++) {
        a[i] = next_number(&state);
        b[i] = next_number(&state) - 0.25;
    }

    double start = omp_get_wtime();
    strassen(c, a, b, (unsigned)n, (unsigned)leaf, (unsigned)depth);
    double end = omp_get_wtime();

    printf("bits: %016" PRIx64 "\n", hash_of(c, count * sizeof *c));
    printf("sum: %.12g\n", sum_of_doubles(c, count));
    fprintf(stderr, "time: %.6f s\n", end - start);
    free(a);
    free(b);
    free(c);
    return 0;
}
