// s2s: --passes=interleave -- -fopenmp
// run
// text x3: as lanes
#include <stdio.h>
#define M 32
static double x[M];
#pragma omp threadprivate(x)
static double grid[40][M];
static void fill(int n, double *seed, double a, double y[])
{
    int i;
    double s, t, a1;
    t = 0.5 * a;
    a1 = (int)t;
    s = *seed;
    for (i = 1; i <= n; i++) {
        t = a1 * s + 0.3125;
        s = t - (int)t;
        y[i] = s * 0.5;
    }
    *seed = s;
}
static void step(double *s) { *s = *s * 0.75 + 0.125; }
/* Each thread's own array, filled in each iteration. */
static void count_pairs(int n)
{
    int total[4] = {0}, sum = 0;
#pragma omp parallel copyin(x)
    {
        int i, k, mine[4] = {0};
        double s;
#pragma omp for reduction(+ : sum) schedule(static)
        for (k = 1; k <= n; k++) { // remark: 'fill' runs for 8 iterations of 'k' at once, as lanes [interleave]
            s = k * 0.0625;
            for (i = 0; i < k % 4; i++) step(&s);
            fill(M, &s, 5.5, x - 1);
            for (i = 0; i < M; i++) {
                double v = x[i] * 8;
                if (v < 3.5) mine[(int)v & 3] += 1;
            }
            sum += (int)(s * 1024);
        }
#pragma omp critical
        for (i = 0; i < 4; i++) total[i] += mine[i];
#pragma omp single nowait
        sum += (int)(x[0] * 0);
    }
    printf("%d %d %d %d %d\n", sum, total[0], total[1], total[2], total[3]);
}
/* Seeds that go on from one head to the next. */
static double in_turn(int n)
{
    static double row[M + 1];
    double s, start = 0.25, sum = 0;
    for (int k = 0; k < n; k++) { // remark: 'fill' runs for 8 iterations of 'k' at once, as lanes [interleave]
        s = start;
        fill(M, &s, 4.5, row);
        for (int i = 1; i <= M; i++) sum = sum * 0.5 + row[i];
        if (k != n) step(&start);
    }
    return sum + row[3] + start;
}
/* A row for each iteration. */
static void fill_grid(int n, double *(*rows))
{
    double s = 0.125, start = 0.5;
    for (int k = 0; k < n; k++) { // remark: 'fill' runs for 8 iterations of 'k' at once, as lanes [interleave]
        s = start;
        fill(M - 1, &s, 6.5, &(rows[k][0]));
        step(&start);
    }
    printf("%a\n", s);
}
int main(void)
{
    double *rows[40];
    int sizes[] = {0, 1, 7, 8, 9, 16, 39};
    for (int i = 0; i < 7; i++) {
        int n = sizes[i];
        for (int k = 0; k < 40; k++) rows[k] = grid[i % 2 ? k : k / 2];
        count_pairs(n);
        printf("%a\n", in_turn(n));
        fill_grid(n, rows);
        double sum = 0;
        for (int k = 0; k < 40; k++)
            for (int j = 0; j < M; j++) sum = sum * 0.5 + grid[k][j];
        printf("%a\n", sum);
    }
    return 0;
}
