// s2s: -- -O2
// run
// stays
/* Matrices with the same rows behind tables of their own: the tables are apart, the rows are not. */
#include "soundness/numbers.h"

struct matrix { int rows, cols; double **data; };

void multiply(struct matrix *m, struct matrix *a, struct matrix *b)
{
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++) s += a->data[i][k] * b->data[k][j];
            m->data[i][j] = s;
        }
}

int main(void)
{
    enum { N = 40 };
    static double *rows[N], *same[N], *others[N];
    double *x = numbers(N * N, 3), *y = numbers(N * N, 5);
    for (int i = 0; i < N; i++) {
        rows[i] = same[i] = x + i * N;
        others[i] = y + i * N;
    }
    struct matrix a = {N, N, rows}, b = {N, N, others}, m = {N, N, same};
    multiply(&m, &a, &b);
    show("x", x, N * N * sizeof *x);
    free(x);
    free(y);
    return 0;
}
