/* Lines of blocks along two directions, in a team; what lies between both is read by neither. */
#include <stdio.h>

#define N 14
#define LOW 0
#define MID 1
#define square(x) ((x) * (x))

static int points[3];
static double weight, step, t1, t2;
#pragma omp threadprivate(t1, t2)
static double state[N][N][N][3], a[N][N][N][2][3][3], flux[N][N][N][3][3], x[N][N][N][3];

/* out -= block * in */
static void subtract(double block[3][3], double in[3], double out[3])
{
    int r;

    for (r = 0; r < 3; r++) {
        out[r] = out[r] - block[r][0] * in[0]
            - block[r][1] * in[1] - block[r][2] * in[2];
    }
}

/* Gauss-Jordan elimination without pivots; the second block becomes inverse * block. */
static void eliminate(double block[3][3], double next[3][3], double value[3])
{
    double pivot, factor[3];
    int r, q, c;

    for (r = 0; r < 3; r++) {
        pivot = 1.0 / block[r][r];
        for (c = 0; c < 3; c++) {
            block[r][c] *= pivot;
            next[r][c] *= pivot;
        }
        value[r] *= pivot;
        for (q = 0; q < 3; q++) {
            factor[q] = block[q][r] * square(q - r > 0 ? 1.0 : q == r ? 0.0 : 1.0);
            for (c = 0; c < 3; c++) {
                block[q][c] -= factor[q] * block[r][c];
                next[q][c] -= factor[q] * next[r][c];
            }
            value[q] -= factor[q] * value[r];
        }
    }
}

static void fill_ends(void)
{
    int i, j, k, m, n;

#pragma omp for
    for (i = 0; i < points[0]; i++)
        for (j = 0; j < points[1]; j++)
            for (k = 0; k < points[2]; k++)
                for (m = 0; m < 3; m++)
                    for (n = 0; n < 3; n++) {
                        a[i][j][k][LOW][m][n] = 0.0;
                        a[i][j][k][MID][m][n] = m == n ? 1.0 : 0.0;
                    }
}

static void blocks_along_i(void)
{
    int i, j, k;

#pragma omp for
    for (j = 1; j < points[1] - 1; j++) {
        for (k = 1; k < points[2] - 1; k++) {
            for (i = 0; i < points[0]; i++) {
                t1 = 1.0 / state[i][j][k][0];
                t2 = t1 * square(state[i][j][k][1]);
                flux[i][j][k][0][0] = 0.1 * t1;
                flux[i][j][k][0][1] = weight * t2;
                flux[i][j][k][0][2] = 0.0;
                flux[i][j][k][1][0] = -t2;
                flux[i][j][k][1][1] = 0.2 * state[i][j][k][2] * t1;
                flux[i][j][k][1][2] = t1 - weight;
                flux[i][j][k][2][0] = 0.0;
                flux[i][j][k][2][1] = 0.3 * square(state[i][j][k][2] - t2);
                flux[i][j][k][2][2] = i * 0.01;
            }
            for (i = 1; i < points[0] - 1; i++) {
                t1 = step * 0.5;
                a[i][j][k][LOW][0][0] = -t1 * flux[i - 1][j][k][0][0];
                a[i][j][k][LOW][0][1] = -t1 * flux[i - 1][j][k][0][1];
                a[i][j][k][LOW][0][2] = -t1 * flux[i - 1][j][k][0][2];
                a[i][j][k][LOW][1][0] = -t1 * flux[i - 1][j][k][1][0];
                a[i][j][k][LOW][1][1] = -t1 * flux[i - 1][j][k][1][1];
                a[i][j][k][LOW][1][2] = -t1 * flux[i - 1][j][k][1][2];
                a[i][j][k][LOW][2][0] = -t1 * flux[i - 1][j][k][2][0];
                a[i][j][k][LOW][2][1] = -t1 * flux[i - 1][j][k][2][1];
                a[i][j][k][LOW][2][2] = -t1 * flux[i - 1][j][k][2][2];
                a[i][j][k][MID][0][0] = 2.0 + t1 * flux[i + 1][j][k][0][0];
                a[i][j][k][MID][0][1] = t1 * flux[i + 1][j][k][0][1];
                a[i][j][k][MID][0][2] = t1 * flux[i + 1][j][k][0][2];
                a[i][j][k][MID][1][0] = t1 * flux[i + 1][j][k][1][0];
                a[i][j][k][MID][1][1] = 2.0 + t1 * flux[i + 1][j][k][1][1];
                a[i][j][k][MID][1][2] = t1 * flux[i + 1][j][k][1][2];
                a[i][j][k][MID][2][0] = t1 * flux[i + 1][j][k][2][0];
                a[i][j][k][MID][2][1] = t1 * flux[i + 1][j][k][2][1];
                a[i][j][k][MID][2][2] = 2.0 + t1 * flux[i + 1][j][k][2][2];
            }
        }
    }
}

static void sweep_along_i(void)
{
    int i, j, k, last;

    last = points[0] - 1;
    for (i = 1; i < last; i++) {
#pragma omp for
        for (j = 1; j < points[1] - 1; j++) {
            for (k = 1; k < points[2] - 1; k++) {
                subtract(a[i][j][k][LOW], x[i - 1][j][k], x[i][j][k]);
                eliminate(a[i][j][k][MID], a[i][j][k][LOW], x[i][j][k]);
            }
        }
    }
#pragma omp for
    for (j = 1; j < points[1] - 1; j++) {
        for (k = 1; k < points[2] - 1; k++) {
            subtract(a[last][j][k][MID], x[last - 1][j][k], x[i][j][k]);
        }
    }
}

static void back_along_i(void)
{
    int i, j, k, m, n;

    for (i = points[0] - 2; i >= 0; i--) {
#pragma omp for
        for (j = 1; j < points[1] - 1; j++)
            for (k = 1; k < points[2] - 1; k++)
                for (m = 0; m < 3; m++)
                    for (n = 0; n < 3; n++)
                        x[i][j][k][m] = x[i][j][k][m]
                            - a[i][j][k][LOW][m][n] * x[i + 1][j][k][n];
    }
}


static inline __attribute__((always_inline))
void solve_along_i_subtract(double block[3][3][4], double in[3][4], double out[3][4])
{
    int r;
    for (r = 0; r < 3; r++) {
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            out[r][lane] = out[r][lane] - block[r][0][lane] * in[0][lane] - block[r][1][lane] * in[1][lane] - block[r][2][lane] * in[2][lane];
        }
    }
}

static inline __attribute__((always_inline))
void solve_along_i_eliminate(double block[3][3][4], double next[3][3][4], double value[3][4])
{
    int c;
    int q;
    int r;
    double pivot[4];
    double factor[3][4];
    for (r = 0; r < 3; r++) {
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            pivot[lane] = 1.0 / block[r][r][lane];
        }
        for (c = 0; c < 3; c++) {
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                block[r][c][lane] *= pivot[lane];
                next[r][c][lane] *= pivot[lane];
            }
        }
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            value[r][lane] *= pivot[lane];
        }
        for (q = 0; q < 3; q++) {
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                factor[q][lane] = block[q][r][lane] * square(q - r > 0 ? 1.0 : q == r ? 0.0 : 1.0);
            }
            for (c = 0; c < 3; c++) {
#pragma omp simd
                for (int lane = 0; lane < 4; lane++) {
                    block[q][c][lane] -= factor[q][lane] * block[r][c][lane];
                    next[q][c][lane] -= factor[q][lane] * next[r][c][lane];
                }
            }
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                value[q][lane] -= factor[q][lane] * value[r][lane];
            }
        }
    }
}

static void solve_along_i(void)
{
    /* s2s: 4 lines of 'k' side by side */
    if (points[1] >= 3 && points[1] <= 14 && points[2] >= 3 && points[2] <= 14 && points[0] >= 3 && points[0] <= 14) {
        int j;
#pragma omp for
        for (j = 1; j <= ((points[1] - 1) - 1); j++) {
            for (int k_first = 1; k_first <= ((points[2] - 1) - 1); k_first += 4) {
                double a_lanes[14][2][3][3][4];
                double flux_lanes[14][3][3][4];
                double state_lanes[14][3][4];
                double x_lanes[14][3][4];
                const int lines = ((points[2] - 1) - 1) - k_first < 3 ? ((points[2] - 1) - 1) - k_first + 1 : 4;
                int k_of[4];
                for (int lane = 0; lane < 4; lane++)
                    k_of[lane] = k_first + (lane < lines ? lane : lines - 1);
                for (int e0 = 0; e0 < points[0]; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < 4; lane++)
                            state_lanes[e0][e1][lane] = state[e0][j][k_of[lane]][e1];
                for (int e0 = 0; e0 < points[0]; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < 4; lane++)
                            x_lanes[e0][e1][lane] = x[e0][j][k_of[lane]][e1];
                {
                    for (int e2 = 0; e2 <= 2; e2 += 1)
                        for (int e3 = 0; e3 <= 2; e3 += 1)
                            for (int lane = 0; lane < 4; lane++)
                                a_lanes[0][0][e2][e3][lane] = a[0][j][k_of[lane]][0][e2][e3];
                    for (int e2 = 0; e2 <= 2; e2 += 1)
                        for (int e3 = 0; e3 <= 2; e3 += 1)
                            for (int lane = 0; lane < 4; lane++)
                                a_lanes[points[0] - 1][1][e2][e3][lane] = a[points[0] - 1][j][k_of[lane]][1][e2][e3];
                }
                {
                    int i;
                    for (i = 0; i < points[0]; i++) {
#pragma omp simd
                        for (int lane = 0; lane < 4; lane++) {
                            double t1;
                            double t2;
                            t1 = 1.0 / state_lanes[i][0][lane];
                            t2 = t1 * (state_lanes[i][1][lane] * state_lanes[i][1][lane]);
                            flux_lanes[i][0][0][lane] = 0.1 * t1;
                            flux_lanes[i][0][1][lane] = weight * t2;
                            flux_lanes[i][0][2][lane] = 0.0;
                            flux_lanes[i][1][0][lane] = -t2;
                            flux_lanes[i][1][1][lane] = 0.2 * state_lanes[i][2][lane] * t1;
                            flux_lanes[i][1][2][lane] = t1 - weight;
                            flux_lanes[i][2][0][lane] = 0.0;
                            flux_lanes[i][2][1][lane] = 0.3 * ((state_lanes[i][2][lane] - t2) * (state_lanes[i][2][lane] - t2));
                            flux_lanes[i][2][2][lane] = i * 0.01;
                        }
                    }
                    for (i = 1; i < points[0] - 1; i++) {
#pragma omp simd
                        for (int lane = 0; lane < 4; lane++) {
                            double t1;
                            t1 = step * 0.5;
                            a_lanes[i][LOW][0][0][lane] = -t1 * flux_lanes[i - 1][0][0][lane];
                            a_lanes[i][LOW][0][1][lane] = -t1 * flux_lanes[i - 1][0][1][lane];
                            a_lanes[i][LOW][0][2][lane] = -t1 * flux_lanes[i - 1][0][2][lane];
                            a_lanes[i][LOW][1][0][lane] = -t1 * flux_lanes[i - 1][1][0][lane];
                            a_lanes[i][LOW][1][1][lane] = -t1 * flux_lanes[i - 1][1][1][lane];
                            a_lanes[i][LOW][1][2][lane] = -t1 * flux_lanes[i - 1][1][2][lane];
                            a_lanes[i][LOW][2][0][lane] = -t1 * flux_lanes[i - 1][2][0][lane];
                            a_lanes[i][LOW][2][1][lane] = -t1 * flux_lanes[i - 1][2][1][lane];
                            a_lanes[i][LOW][2][2][lane] = -t1 * flux_lanes[i - 1][2][2][lane];
                            a_lanes[i][MID][0][0][lane] = 2.0 + t1 * flux_lanes[i + 1][0][0][lane];
                            a_lanes[i][MID][0][1][lane] = t1 * flux_lanes[i + 1][0][1][lane];
                            a_lanes[i][MID][0][2][lane] = t1 * flux_lanes[i + 1][0][2][lane];
                            a_lanes[i][MID][1][0][lane] = t1 * flux_lanes[i + 1][1][0][lane];
                            a_lanes[i][MID][1][1][lane] = 2.0 + t1 * flux_lanes[i + 1][1][1][lane];
                            a_lanes[i][MID][1][2][lane] = t1 * flux_lanes[i + 1][1][2][lane];
                            a_lanes[i][MID][2][0][lane] = t1 * flux_lanes[i + 1][2][0][lane];
                            a_lanes[i][MID][2][1][lane] = t1 * flux_lanes[i + 1][2][1][lane];
                            a_lanes[i][MID][2][2][lane] = 2.0 + t1 * flux_lanes[i + 1][2][2][lane];
                        }
                    }
                }
                {
                    int i;
                    int last;
                    last = points[0] - 1;
                    for (i = 1; i < last; i++) {
                        solve_along_i_subtract(a_lanes[i][LOW], x_lanes[i - 1], x_lanes[i]);
                        solve_along_i_eliminate(a_lanes[i][MID], a_lanes[i][LOW], x_lanes[i]);
                    }
                    solve_along_i_subtract(a_lanes[last][MID], x_lanes[last - 1], x_lanes[i]);
                }
                {
                    int i;
                    int m;
                    int n;
                    for (i = points[0] - 2; i >= 0; i--) {
                        for (m = 0; m < 3; m++) {
                            for (n = 0; n < 3; n++) {
#pragma omp simd
                                for (int lane = 0; lane < 4; lane++) {
                                    x_lanes[i][m][lane] = x_lanes[i][m][lane] - a_lanes[i][LOW][m][n][lane] * x_lanes[i + 1][n][lane];
                                }
                            }
                        }
                    }
                }
                for (int e0 = 0; e0 < points[0]; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < lines; lane++)
                            x[e0][j][k_of[lane]][e1] = x_lanes[e0][e1][lane];
            }
        }
    } else {
    blocks_along_i();
    sweep_along_i();
    back_along_i();
}
}

/* Along the last dimension: lanes are neighbours in j. */

static inline __attribute__((always_inline))
void solve_along_k_subtract(double block[3][3][4], double in[3][4], double out[3][4])
{
    int r;
    for (r = 0; r < 3; r++) {
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            out[r][lane] = out[r][lane] - block[r][0][lane] * in[0][lane] - block[r][1][lane] * in[1][lane] - block[r][2][lane] * in[2][lane];
        }
    }
}

static inline __attribute__((always_inline))
void solve_along_k_eliminate(double block[3][3][4], double next[3][3][4], double value[3][4])
{
    int c;
    int q;
    int r;
    double pivot[4];
    double factor[3][4];
    for (r = 0; r < 3; r++) {
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            pivot[lane] = 1.0 / block[r][r][lane];
        }
        for (c = 0; c < 3; c++) {
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                block[r][c][lane] *= pivot[lane];
                next[r][c][lane] *= pivot[lane];
            }
        }
#pragma omp simd
        for (int lane = 0; lane < 4; lane++) {
            value[r][lane] *= pivot[lane];
        }
        for (q = 0; q < 3; q++) {
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                factor[q][lane] = block[q][r][lane] * square(q - r > 0 ? 1.0 : q == r ? 0.0 : 1.0);
            }
            for (c = 0; c < 3; c++) {
#pragma omp simd
                for (int lane = 0; lane < 4; lane++) {
                    block[q][c][lane] -= factor[q][lane] * block[r][c][lane];
                    next[q][c][lane] -= factor[q][lane] * next[r][c][lane];
                }
            }
#pragma omp simd
            for (int lane = 0; lane < 4; lane++) {
                value[q][lane] -= factor[q][lane] * value[r][lane];
            }
        }
    }
}

static void solve_along_k(void)
{
    /* s2s: 4 lines of 'j' side by side */
    if (points[0] >= 3 && points[0] <= 14 && points[1] >= 3 && points[1] <= 14 && points[2] >= 3 && points[2] <= 14) {
        int i;
#pragma omp for
        for (i = 1; i <= (points[0] - 2); i++) {
            for (int j_first = 1; j_first <= (points[1] - 2); j_first += 4) {
                double a_lanes[14][2][3][3][4];
                double state_lanes[14][3][4];
                double x_lanes[14][3][4];
                const int lines = (points[1] - 2) - j_first < 3 ? (points[1] - 2) - j_first + 1 : 4;
                int j_of[4];
                for (int lane = 0; lane < 4; lane++)
                    j_of[lane] = j_first + (lane < lines ? lane : lines - 1);
                for (int e0 = 1; e0 < points[2] - 1; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < 4; lane++)
                            state_lanes[e0][e1][lane] = state[i][j_of[lane]][e0][e1];
                for (int e0 = 0; e0 < points[2] - 1; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < 4; lane++)
                            x_lanes[e0][e1][lane] = x[i][j_of[lane]][e0][e1];
                int k;
                int last;
                last = points[2] - 2;
                for (k = 1; k <= last; ++k) {
#pragma omp simd
                    for (int lane = 0; lane < 4; lane++) {
                        double t1;
                        t1 = weight * state_lanes[k][0][lane];
                        a_lanes[k][LOW][0][0][lane] = t1;
                        a_lanes[k][LOW][0][1][lane] = 0.1 * j_of[lane];
                        a_lanes[k][LOW][0][2][lane] = 0.2;
                        a_lanes[k][LOW][1][0][lane] = t1 * t1;
                        a_lanes[k][LOW][1][1][lane] = 0.5 + i;
                        a_lanes[k][LOW][1][2][lane] = 0.0;
                        a_lanes[k][LOW][2][0][lane] = t1 - k;
                        a_lanes[k][LOW][2][1][lane] = 1.0;
                        a_lanes[k][LOW][2][2][lane] = step;
                        a_lanes[k][MID][0][0][lane] = 4.0 + t1;
                        a_lanes[k][MID][0][1][lane] = 0.25;
                        a_lanes[k][MID][0][2][lane] = 0.5;
                        a_lanes[k][MID][1][0][lane] = state_lanes[k][1][lane];
                        a_lanes[k][MID][1][1][lane] = 4.0;
                        a_lanes[k][MID][1][2][lane] = 0.125;
                        a_lanes[k][MID][2][0][lane] = 0.0;
                        a_lanes[k][MID][2][1][lane] = state_lanes[k][2][lane];
                        a_lanes[k][MID][2][2][lane] = 5.0;
                    }
                }
                for (k = 1; k <= points[2] - 2; ++k) {
                    solve_along_k_subtract(a_lanes[k][LOW], x_lanes[k - 1], x_lanes[k]);
                    solve_along_k_eliminate(a_lanes[k][MID], a_lanes[k][LOW], x_lanes[k]);
                }
                for (int e0 = 1; e0 < points[2] - 1; e0 += 1)
                    for (int e1 = 0; e1 <= 2; e1 += 1)
                        for (int lane = 0; lane < lines; lane++)
                            x[i][j_of[lane]][e0][e1] = x_lanes[e0][e1][lane];
            }
        }
    } else {
    const int last = points[2] - 2;
    int k;

#pragma omp for
    for (int i = 1; i <= points[0] - 2; i++)
        for (int j = 1; j <= points[1] - 2; j++) {
            for (k = 1; k <= last; ++k) {
                t1 = weight * state[i][j][k][0];
                a[i][j][k][LOW][0][0] = t1;
                a[i][j][k][LOW][0][1] = 0.1 * j;
                a[i][j][k][LOW][0][2] = 0.2;
                a[i][j][k][LOW][1][0] = t1 * t1;
                a[i][j][k][LOW][1][1] = 0.5 + i;
                a[i][j][k][LOW][1][2] = 0.0;
                a[i][j][k][LOW][2][0] = t1 - k;
                a[i][j][k][LOW][2][1] = 1.0;
                a[i][j][k][LOW][2][2] = step;
                a[i][j][k][MID][0][0] = 4.0 + t1;
                a[i][j][k][MID][0][1] = 0.25;
                a[i][j][k][MID][0][2] = 0.5;
                a[i][j][k][MID][1][0] = state[i][j][k][1];
                a[i][j][k][MID][1][1] = 4.0;
                a[i][j][k][MID][1][2] = 0.125;
                a[i][j][k][MID][2][0] = 0.0;
                a[i][j][k][MID][2][1] = state[i][j][k][2];
                a[i][j][k][MID][2][2] = 5.0;
            }
            for (k = 1; k <= points[2] - 2; ++k) {
                subtract(a[i][j][k][LOW], x[i][j][k - 1], x[i][j][k]);
                eliminate(a[i][j][k][MID], a[i][j][k][LOW], x[i][j][k]);
            }
        }
}
}

static void report(void)
{
    double sum = 0.0;
    int i, j, k, m;

    for (i = 0; i < points[0]; i++)
        for (j = 0; j < points[1]; j++)
            for (k = 0; k < points[2]; k++)
                for (m = 0; m < 3; m++)
                    sum = sum * 0.999 + x[i][j][k][m];
    printf("%.17g\n", sum);
}

int main(int argc, char **argv)
{
    int i, j, k, m, t;

    (void)argv;
    points[0] = 13;
    points[1] = 11 + argc;
    points[2] = 14;
    weight = 0.37;
    step = 0.05;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                for (m = 0; m < 3; m++) {
                    state[i][j][k][m] = 1.0 + 0.01 * ((i * 7 + j * 5 + k * 3 + m) % 11);
                    x[i][j][k][m] = 0.1 * ((i + 2 * j + 3 * k + 5 * m) % 13);
                }
#pragma omp parallel
    fill_ends();
    for (t = 0; t < 3; t++) {
#pragma omp parallel
        solve_along_i();
#pragma omp parallel
        {
            solve_along_k();
        }
        report();
    }
    return 0;
}
