// s2s: --parallel -- -O2 -fopenmp
// run
// text: rows of 'a.data' and 'b.data' and 'm.data' do not overlap
/* Tables of rows behind members: apart, in any order, and with rows in common. */
#include "soundness/numbers.h"

struct matrix { int rows, cols; double **data; };

void multiply(struct matrix *m, struct matrix *a, struct matrix *b)
{
    // remark: permuted loops to (i, k, j), parallel outside
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++) s += a->data[i][k] * b->data[k][j];
            m->data[i][j] = s;
        }
}

enum { N = 40 };

static void fill(struct matrix *m, double *from, int step)
{
    *m = (struct matrix){N, N, malloc(N * sizeof *m->data)};
    for (int i = 0; i < N; i++) m->data[i] = from + (step < 0 ? N - 1 - i : i) * N;
}

int main(void)
{
    double *x = numbers(3 * N * N, 3);
    struct matrix a, b, m;
    fill(&a, x, 1);
    fill(&b, x + N * N, 1);
    for (int k = 0; k < 4; k++) {
        fill(&m, x + 2 * N * N, k == 1 ? -1 : 1);
        if (k == 2) m.data[N / 2] = a.data[N / 3];
        for (int i = 0; i < N && k == 3; i++) m.data[i] = b.data[i];
        multiply(&m, &a, &b);
        show("x", x, 3 * N * N * sizeof *x);
        free(m.data);
    }
    free(a.data);
    free(b.data);
    free(x);
    return 0;
}
