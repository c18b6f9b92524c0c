/* Loops over memory that pointers lead to; the number of pairs of places that may be the same. */
void pointers_10(float *o, float *a, float *b, float *c, float *d, float *e, float *f, float *g,
                 float *h, float *i, float *j, int n)
{
    for (int k = 0; k < n; k++) o[k] = a[k] + b[k] + c[k] + d[k] + e[k] + f[k] + g[k] + h[k] + i[k] + j[k];
}
void pointers_11(float *o, float *a, float *b, float *c, float *d, float *e, float *f, float *g,
                 float *h, float *i, float *j, float *l, int n)
{
    for (int k = 0; k < n; k++) o[k] = a[k] + b[k] + c[k] + d[k] + e[k] + f[k] + g[k] + h[k] + i[k] + j[k] + l[k];
}
void columns_1(float *o, float *u, int n)
{
    for (int k = 6; k < n - 6; k++)
        o[k] = u[k] + u[k - 1] + u[k - 2] + u[k - 3] + u[k - 4] + u[k - 5] + u[k - 6] + u[k + 1] + u[k + 2] + u[k + 3] + u[k + 4] + u[k + 5] + u[k + 6];
}
void rows_11(float *o, float *u, int n, int m)
{
    for (int k = 0; k < m; k++)
        o[6 * m + k] = u[k] + u[m + k] + u[2 * m + k] + u[3 * m + k] + u[4 * m + k] + u[5 * m + k] + u[6 * m + k] + u[7 * m + k] + u[8 * m + k] + u[9 * m + k] + u[10 * m + k];
}
void known_rows_1(float (*o)[64], float (*u)[64], int i, int m)
{
    for (int k = 0; k < m; k++)
        o[i][k] = u[i][k] + u[i + 1][k] + u[i + 2][k] + u[i + 3][k] + u[i + 4][k] + u[i + 5][k] + u[i + 6][k] + u[i + 7][k] + u[i + 8][k] + u[i + 9][k] + u[i + 10][k] + u[i + 11][k];
}
void results_7(float *o, float *p, float *a, float *b, float *c, int n)
{
    for (int k = 0; k < n; k++) {
        o[k] = a[k] + b[k];
        p[k] = b[k] - c[k];
    }
}
void results_15(float *o, float *p, float *q, float *a, float *b, float *c, float *d, int n)
{
    for (int k = 0; k < n; k++) {
        o[k] = a[k] + b[k];
        p[k] = b[k] - c[k];
        q[k] = c[k] - d[k];
    }
}
void restricted_0(float *restrict o, float *restrict p, float *restrict q, float *restrict a,
                  float *restrict b, float *restrict c, float *restrict d, int n)
{
    for (int k = 0; k < n; k++) {
        o[k] = a[k] + b[k];
        p[k] = b[k] - c[k];
        q[k] = c[k] - d[k];
    }
}
void shared_15(float *restrict o, float *restrict p, float *restrict q, float *restrict a,
               float *restrict b, float *restrict c, float *restrict d, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            o[k + i * n] = a[k] + b[k];
            p[k + i * n] = b[k] - c[k];
            q[k + i * n] = c[k] - d[k];
        }
}
