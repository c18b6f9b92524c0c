// Styles of products; before each function what its nests are, in their order.
#define COLUMN(x, i, j, ld) x[(j) * ld + (i)]

// matmul
void accumulate_rows(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb,
                     float *C, int ldc) {
    int i, j, k;
    for (i = 0; i < M; ++i) {
        for (k = 0; k < K; ++k) {
            register float part = ALPHA * A[i * lda + k];
            for (j = 0; j < N; ++j) {
                C[i * ldc + j] += part * B[k * ldb + j];
            }
        }
    }
}

// matmul
void second_transposed(int M, int N, int K, float ALPHA, float *A, int lda, float *B, int ldb,
                       float *C, int ldc) {
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0;
            for (int k = 0; k < K; ++k)
                sum += ALPHA * A[i * lda + k] * B[j * ldb + k];
            C[i * ldc + j] += sum;
        }
}

// matmul
void columns(int m, int n, int k, double *a, int lda, double *b, int ldb, double *c, int ldc) {
    int i, j, p;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            for (p = 0; p < k; p++)
                COLUMN(c, i, j, ldc) =
                    COLUMN(c, i, j, ldc) + COLUMN(a, i, p, lda) * COLUMN(b, p, j, ldb);
}

// matmul
void scaled_inside(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj],
                   double A[ni][nk], double B[nk][nj]) {
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

// matmul
void tiled_by_hand(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int ii = 0; ii < n; ii += 32)
        for (int jj = 0; jj < n; jj += 32)
            for (int kk = 0; kk < n; kk += 32)
                for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)
                    for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++) {
                        double sum = C[i][j];
                        for (int k = kk; k < (kk + 32 < n ? kk + 32 : n); k++)
                            sum += A[i][k] * B[k][j];
                        C[i][j] = sum;
                    }
}

// matmul lower
void triangle_of_a_square(int n, int m, double alpha, double beta, double C[n][n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
}

// matmul lower, matmul lower
void triangle_of_two(int n, int m, double alpha, double beta, double C[n][n], double A[n][m],
                     double B[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

// matvec
void into_a_register(float *out, float *x, float *w, int n, int d) {
    for (int i = 0; i < d; i++) {
        float val = 0.0f;
        for (int j = 0; j < n; j++)
            val += w[i * n + j] * x[j];
        out[i] = val;
    }
}

// outer, outer
// matvec
// axpy
void vectors(int n, double beta, double A[n][n], double u1[n], double v1[n], double u2[n],
             double v2[n], double x[n], double y[n], double z[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];
}

// matvec, matvec, elementwise
void two_in_one_loop(int n, double alpha, double beta, double A[n][n], double B[n][n],
                     double tmp[n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}

// dot
double inner_product(int n, const double *x, const double *y) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

// convolution, limits h w
void padded(int co, int ci, int h, int w, int kh, int kw, int pad, int oh, int ow,
            float x[ci][h][w], float f[co][ci][kh][kw], float y[co][oh][ow]) {
    for (int o = 0; o < co; o++)
        for (int p = 0; p < oh; p++)
            for (int q = 0; q < ow; q++) {
                float s = 0;
                for (int c = 0; c < ci; c++)
                    for (int r = 0; r < kh; r++)
                        for (int t = 0; t < kw; t++) {
                            int yy = p + r - pad, xx = q + t - pad;
                            if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                                s += x[c][yy][xx] * f[o][c][r][t];
                        }
                y[o][p][q] = s;
            }
}

// convolution, elementwise
void bias_and_rectifier(float x[16][34][34], float f[32][16][3][3], float y[32][16][16],
                        float b[32]) {
    for (int o = 0; o < 32; o++)
        for (int p = 0; p < 16; p++)
            for (int q = 0; q < 16; q++) {
                float s = b[o];
                for (int c = 0; c < 16; c++)
                    for (int r = 0; r < 3; r++)
                        for (int t = 0; t < 3; t++)
                            s += x[c][2 * p + r][2 * q + t] * f[o][c][r][t];
                y[o][p][q] = s > 0 ? s : 0;
            }
}

// fill, max_pool
void largest(int c, float x[c][32][32], float y[c][16][16]) {
    for (int k = 0; k < c; k++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                float m = -3.4e38f;
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++)
                        if (x[k][2 * i + a][2 * j + b] > m)
                            m = x[k][2 * i + a][2 * j + b];
                y[k][i][j] = m;
            }
}

// matmul
void pointers_to_rows(int n, int m, int p, float *const *a, float *const *b, float **c) {
    for (int i = 0; i < n; i++) {
        const float *ai = a[i];
        float *ci = c[i];
        for (int j = 0; j < m; j++) {
            float s = 0, *bj = b[j];
            for (int k = 0; k < p; k++)
                s += ai[k] * bj[k];
            ci[j] = s;
        }
    }
}

// matmul
void pointers_with_offsets(int B, int T, int C, int OC, float *out, const float *in,
                           const float *w) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            float *to = out + b * T * OC + t * OC;
            const float *from = in + b * T * C + t * C;
            for (int o = 0; o < OC; o++) {
                const float *row = w + o * C;
                float s = 0;
                for (int i = 0; i < C; i++)
                    s += from[i] * row[i];
                to[o] = s;
            }
        }
}

// convolution, limits 20 20
void flat_of_known_sizes(const float *x, const float *f, float *y) {
    for (int o = 0; o < 24; o++)
        for (int p = 0; p < 20; p++)
            for (int q = 0; q < 20; q++) {
                float s = 0;
                for (int c = 0; c < 8; c++)
                    for (int r = 0; r < 3; r++)
                        for (int t = 0; t < 3; t++)
                            if (p + r >= 1 && p + r < 21 && q + t >= 1 && q + t < 21)
                                s += x[(c * 20 + p + r - 1) * 20 + q + t - 1] *
                                     f[((o * 8 + c) * 3 + r) * 3 + t];
                y[(o * 20 + p) * 20 + q] = s;
            }
}

// elementwise, matmul
void bias_if_there_is_one(float *out, const float *in, const float *w, const float *bias, int B,
                          int T, int C, int OC) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            int bt = b * T + t;
            for (int o = 0; o < OC; o++) {
                float val = (bias != (void *)0) ? bias[o] : 0.0f;
                for (int i = 0; i < C; i++)
                    val += in[bt * C + i] * w[o * C + i];
                out[bt * OC + o] = val;
            }
        }
}

// elementwise
void narrow_products(int n, const signed char *a, const signed char *b, int *c) {
    for (int i = 0; i < n; i++)
        c[i] += a[i] * b[i];
}

// convolution
void windows_of_nine(int C, int K, int H, int W, const float *x, const float *w, float *y) {
    for (int k = 0; k < K; k++)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++) {
                float s = 0;
                for (int c = 0; c < C; c++)
                    for (int a = 0; a < 3; a++)
                        for (int b = 0; b < 3; b++)
                            s += x[(c * (H + 2) + i + a) * (W + 2) + j + b] *
                                 w[((k * C + c) * 3 + a) * 3 + b];
                y[(k * H + i) * W + j] = s;
            }
}

// convolution
void colours_to_features(int K, int H, int W, const float *x, const float *w, float *y) {
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            for (int k = 0; k < K; k++) {
                float s = 0;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        for (int c = 0; c < 3; c++)
                            s += x[((i + a) * (W + 2) + j + b) * 3 + c] *
                                 w[((a * 3 + b) * 3 + c) * K + k];
                y[(i * W + j) * K + k] = s;
            }
}
