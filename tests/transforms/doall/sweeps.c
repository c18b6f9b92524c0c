// s2s: --parallel -- -O3 -fopenmp
// run
/* Two sweeps in each step, each parallel along the other direction, with recurrences inside. */
#include "soundness/numbers.h"
#define N 260

static double u[N][N], v[N][N], c[N][N];

void solve(int steps, int n)
{
    // remark: parallel loop over 'i' [doall]
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            c[i][0] = 0.0;
            v[i][0] = u[0][i];
            for (int j = 1; j < n - 1; j++) {
                c[i][j] = 0.3 / (1.7 - 0.3 * c[i][j - 1]);
                v[i][j] = (u[j][i - 1] + 0.3 * v[i][j - 1]) / (1.7 - 0.3 * c[i][j - 1]);
            }
        }
        for (int i = 1; i < n - 1; i++) {
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j > 0; j--)
                u[i][j] = c[i][j] * u[i][j + 1] + v[j][i];
        }
    }
}

int main(void)
{
    double *p = numbers(N * N, 5);
    for (int k = 0; k < N * N; k++) u[k / N][k % N] = p[k];
    solve(3, N);
    solve(2, 7);
    show("u", u, sizeof u);
    show("v", v, sizeof v);
    free(p);
    return 0;
}
