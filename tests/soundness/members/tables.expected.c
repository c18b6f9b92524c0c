/* Tables of rows behind members: apart, in any order, and with rows in common. */
#include "soundness/numbers.h"

struct matrix { int rows, cols; double **data; };

void multiply(struct matrix *m, struct matrix *a, struct matrix *b)
{

    {
        /* s2s: permuted loops to (i, k, j), parallel outside, simd inside */
        int s2s_often = a->rows >= 1 && b->cols >= 1 && b->cols >= 16
                        && a->cols >= 1;
        if (s2s_often) {
            /* rows of 'a.data' and 'b.data' and 'm.data' do not overlap */
            const long s2s_a_data_3_step = a->data[(long)a->rows - 1] < a->data[0] ? -1 : 1,
                       s2s_a_data_3_first = s2s_a_data_3_step < 0 ? (long)a->rows - 1 : 0;
            const long s2s_b_data_3_step = b->data[(long)a->cols - 1] < b->data[0] ? -1 : 1,
                       s2s_b_data_3_first = s2s_b_data_3_step < 0 ? (long)a->cols - 1 : 0;
            const long s2s_m_data_3_step = m->data[(long)a->rows - 1] < m->data[0] ? -1 : 1,
                       s2s_m_data_3_first = s2s_m_data_3_step < 0 ? (long)a->rows - 1 : 0;
            for (long s2s_i = 1; s2s_often && s2s_i < a->rows; s2s_i++) {
                s2s_often =
                        (const char *)a->data[s2s_a_data_3_first + s2s_a_data_3_step * (s2s_i - 1)]
                        <= (const char *)a->data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i];
            }
            for (long s2s_i = 1; s2s_often && s2s_i < a->cols; s2s_i++) {
                s2s_often =
                        (const char *)b->data[s2s_b_data_3_first + s2s_b_data_3_step * (s2s_i - 1)]
                        <= (const char *)b->data[s2s_b_data_3_first + s2s_b_data_3_step * s2s_i];
            }
            for (long s2s_i = 1; s2s_often && s2s_i < a->rows; s2s_i++) {
                s2s_often =
                        (const char *)(m->data[s2s_m_data_3_first + s2s_m_data_3_step * (s2s_i - 1)]
                                       + b->cols)
                        <= (const char *)m->data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_i];
            }
            {
                long s2s_i = 0, s2s_j = 0;
                while (s2s_often && s2s_i < a->rows && s2s_j < a->rows) {
                    const int s2s_before =
                            (const char *)(
                                a->data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i]
                                + a->cols)
                            <= (const char *)m->data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j];
                    s2s_often =
                            s2s_before
                            || (const char *)(
                                   m->data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j]
                                   + b->cols)
                               <= (const char *)a->data[s2s_a_data_3_first + s2s_a_data_3_step * s2s_i];
                    s2s_i += s2s_before;
                    s2s_j += !s2s_before;
                }
            }
            {
                long s2s_i = 0, s2s_j = 0;
                while (s2s_often && s2s_i < a->cols && s2s_j < a->rows) {
                    const int s2s_before =
                            (const char *)(
                                b->data[s2s_b_data_3_first + s2s_b_data_3_step * s2s_i]
                                + b->cols)
                            <= (const char *)m->data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j];
                    s2s_often =
                            s2s_before
                            || (const char *)(
                                   m->data[s2s_m_data_3_first + s2s_m_data_3_step * s2s_j]
                                   + b->cols)
                               <= (const char *)b->data[s2s_b_data_3_first + s2s_b_data_3_step * s2s_i];
                    s2s_i += s2s_before;
                    s2s_j += !s2s_before;
                }
            }
        }
        if (s2s_often) {
#pragma omp parallel for
            for (int i = 0; i < a->rows; i++) {
                for (int j = 0; j < b->cols; j++) {
                    m->data[i][j] = 0;
                }
                for (int k = 0; k < a->cols; k++) {
#pragma omp simd
                    for (int j = 0; j < b->cols; j++) {
                        m->data[i][j] += a->data[i][k] * b->data[k][j];
                    }
                }
                for (int j = 0; j < b->cols; j++) {
                    m->data[i][j] = m->data[i][j];
                }
            }
        } else {
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            double s = 0;
            for (int k = 0; k < a->cols; k++) s += a->data[i][k] * b->data[k][j];
            m->data[i][j] = s;
        }
        }
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
