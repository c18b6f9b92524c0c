// Windows copied into columns and multiplied: as one convolution where nobody else has the columns.
#include <stdio.h>
#include <stdlib.h>
enum { C = 3, H = 9, W = 8, K = 3, O = 4 };
typedef float image[C][H][W];
typedef float result[O][H * W];

static float pixel(const float *im, int h, int w, int r, int s, int c, int pad) {
    r -= pad;
    s -= pad;
    if (r < 0 || s < 0 || r >= h || s >= w) return 0;
    return im[(c * h + r) * w + s];
}
static void one_of_symbols(int c_, int h, int w, int o_, int k, int pad, const float *im,
                           const float *wt, float *out) {
    int oh = h + 2 * pad - k + 1, ow = w + 2 * pad - k + 1, n = oh * ow, m = c_ * k * k;
    float *col = malloc(sizeof(float) * m * n);
    for (int c = 0; c < c_; c++)
        for (int y = 0; y < k; y++)
            for (int x = 0; x < k; x++)
                for (int i = 0; i < oh; i++)
                    for (int j = 0; j < ow; j++) {
                        int r = i + y - pad, s = j + x - pad;
                        int inside = r >= 0 && r < h && s >= 0 && s < w;
                        col[(((c * k + y) * k + x) * oh + i) * ow + j] =
                            inside ? im[(c * h + r) * w + s] : 0;
                    }
    for (int o = 0; o < o_; o++)
        for (int p = 0; p < n; p++) {
            float sum = 0;
            for (int q = 0; q < m; q++)
                sum += wt[o * m + q] * col[q * n + p];
            out[o * n + p] = sum;
        }
    free(col);
}
static void one_of_digits(int h, int w, const float *im, const float *wt, const float *bias,
                          float *out) {
    int q, y, x, c, i, j, o, p;
    float *col = malloc(sizeof(float) * C * K * K * h * w);
    for (q = 0; q < C * K * K; ++q) {
        x = q % K;
        y = (q / K) % K;
        c = q / K / K;
        for (i = 0; i < h; ++i)
            for (j = 0; j < w; ++j)
                col[(q * h + i) * w + j] = pixel(im, h, w, i + y, j + x, c, 1);
    }
    for (o = 0; o < O; ++o)
        for (p = 0; p < h * w; ++p) {
            float sum = bias ? bias[o] : 0;
            for (q = 0; q < C * K * K; ++q)
                sum += wt[o * C * K * K + q] * col[q * h * w + p];
            out[o * h * w + p] = sum > 0 ? sum : 0;
        }
    free(col);
}
static void one_for_each_image(int n, image *im, const float wt[O][C * K * K], result *out) {
    static float col[C * K * K][H * W];
    for (int b = 0; b < n; b++) {
        for (int q = 0; q < C * K * K; q++)
            for (int i = 0; i < H; i++)
                for (int j = 0; j < W; j++) {
                    int r = i + q / K % K - 1, s = j + q % K - 1;
                    if (r < 0 || r >= H || s < 0 || s >= W)
                        col[q][i * W + j] = 0;
                    else
                        col[q][i * W + j] = im[b][q / (K * K)][r][s];
                }
        for (int o = 0; o < O; o++)
            for (int q = 0; q < C * K * K; q++)
                for (int p = 0; p < H * W; p++)
                    out[b][o][p] += wt[o][q] * col[q][p];
    }
}
static void one_by_rows_of_points(image im, const float wt[C * K * K][O], float *out) {
    float col[(H - 2) * (W - 2)][C * K * K];
    for (int p = 0; p < (H - 2) * (W - 2); p++)
        for (int c = 0; c < C; c++)
            for (int y = 0; y < K; y++)
                for (int x = 0; x < K; x++)
                    col[p][(c * K + y) * K + x] = im[c][p / (W - 2) + y][p % (W - 2) + x];
    for (int p = 0; p < (H - 2) * (W - 2); p++)
        for (int o = 0; o < O; o++) {
            out[p * O + o] = 0;
            for (int q = 0; q < C * K * K; q++)
                out[p * O + o] += col[p][q] * wt[q][o];
        }
}

enum { N = (H - 2) * (W - 2), M = C * K * K };

static void others_read_the_columns(image im, const float *wt, float *out, float *col) {
    for (int c = 0; c < C; c++)
        for (int y = 0; y < K; y++)
            for (int x = 0; x < K; x++)
                for (int i = 0; i < H - 2; i++)
                    for (int j = 0; j < W - 2; j++)
                        col[((c * K + y) * K + x) * N + i * (W - 2) + j] = im[c][i + y][j + x];
    for (int o = 0; o < O; o++)
        for (int p = 0; p < N; p++)
            for (int q = 0; q < M; q++)
                out[o * N + p] += wt[o * M + q] * col[q * N + p];
}
static void they_are_read_again(image im, const float *wt, float *out) {
    float col[M * N];
    for (int c = 0; c < C; c++)
        for (int y = 0; y < K; y++)
            for (int x = 0; x < K; x++)
                for (int i = 0; i < H - 2; i++)
                    for (int j = 0; j < W - 2; j++)
                        col[((c * K + y) * K + x) * N + i * (W - 2) + j] = im[c][i + y][j + x];
    for (int o = 0; o < O; o++)
        for (int p = 0; p < N; p++)
            for (int q = 0; q < M; q++)
                out[o * N + p] += wt[o * M + q] * col[q * N + p];
    out[0] += col[7];
}
static void a_part_is_written(image im, const float *wt, float *out) {
    static float col[M * N];
    for (int c = 0; c < C - 1; c++)
        for (int y = 0; y < K; y++)
            for (int x = 0; x < K; x++)
                for (int i = 0; i < H - 2; i++)
                    for (int j = 0; j < W - 2; j++)
                        col[((c * K + y) * K + x) * N + i * (W - 2) + j] = im[c][i + y][j + x];
    for (int o = 0; o < O; o++)
        for (int p = 0; p < N; p++)
            for (int q = 0; q < M; q++)
                out[o * N + p] += wt[o * M + q] * col[q * N + p];
}
static void one_in_another_order(image im, const float *wt, float *out) {
    float col[M * N];
    for (int c = 0; c < C; c++)
        for (int y = 0; y < K; y++)
            for (int x = 0; x < K; x++)
                for (int i = 0; i < H - 2; i++)
                    for (int j = 0; j < W - 2; j++)
                        col[((c * K + x) * K + y) * N + j * (H - 2) + i] = im[c][i + y][j + x];
    for (int o = 0; o < O; o++)
        for (int p = 0; p < N; p++)
            for (int q = 0; q < M; q++)
                out[o * N + p] += wt[o * M + q] * col[q * N + p];
}
static void an_element_is_written_twice(image im, const float *wt, float *out) {
    float col[M * N];
    for (int c = 0; c < C; c++)
        for (int y = 0; y < K; y++)
            for (int x = 0; x < K; x++)
                for (int i = 0; i < H - 2; i++)
                    for (int j = 0; j < W - 2; j++)
                        col[((c * K + y) * K + x) * N + (i + j) % N] = im[c][i + y][j + x];
    for (int o = 0; o < O; o++)
        for (int p = 0; p < H + W - 5; p++)
            for (int q = 0; q < M; q++)
                out[o * N + p] += wt[o * M + q] * col[q * N + p];
}

static float memory[4000];
static void begin(int way) {
    for (int i = 0; i < 4000; i++)
        memory[i] = (i * 7 + i / 5 * 3 + way) % 5 - 2;
}
static void say(const char *name, int way) {
    unsigned long hash = 5381;
    for (int i = 0; i < 4000; i++)
        hash = hash * 33 + (unsigned long)(long)memory[i];
    printf("%s %d %lx\n", name, way, hash);
}
#define SAY(call) begin(way), call, say(#call, way)
int main(void) {
    float *m = memory, columns[M * N], (*wt)[M] = (float(*)[M])(m + 1000);
    for (int way = 0; way < 3; way++) {
        // Apart, the result over a part of the image, the result over a part of the weights.
        float *out = m + (way == 0 ? 2000 : way == 1 ? 40 : 1030);
        image *im = (image *)m;
        SAY(one_of_symbols(3, 8, 7, 4, 3, way, m, m + 1000, out));
        SAY(one_of_symbols(3, 8, 7, 4, 1, 0, m, m + 1000, out));
        SAY(one_of_symbols(3, 2, 2, 4, 3, 0, m, m + 1000, out));
        SAY(one_of_digits(6, 5, m, m + 1000, way == 2 ? 0 : m + 3900, out));
        SAY(one_for_each_image(2, im, (void *)wt, (result *)out));
        SAY(one_by_rows_of_points(*im, (void *)wt, out));
        SAY(others_read_the_columns(*im, *wt, out, columns));
        printf("%g\n", (double)columns[M * N - 1]);
        SAY(they_are_read_again(*im, *wt, out));
        SAY(a_part_is_written(*im, *wt, out));
        SAY(one_in_another_order(*im, *wt, out));
        SAY(an_element_is_written_twice(*im, *wt, out));
    }
    return 0;
}
