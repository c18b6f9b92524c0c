// s2s: --passes=jam-sums -- -O3 -fopenmp
// run
// text x7: at once */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    float weight, *at;
    long owner;
    double cost;
} Point;
static float square(const float *p, const float *q, int least)
{
    int i;
    float sum = 0.0f;
    for (i = 0; i < least; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    return (sum);
}
static double apart(Point a, Point b, int n)
{
    double sum = 0, part;
    for (int i = 0; i < n; i++) {
        part = a.at[i] - b.at[i];
        sum = sum + part * part;
    }
    return sum;
}
static int nearest(const float *p, float **rows, int count, int n)
{
    int place = -1;
    float least = 1e30f;
    for (int i = 0; i < count; i++) { // remark: sums of 4 iterations are computed at once [jam-sums]
        float d = square(p, rows[i], n);
        if (d < least) {
            least = d;
            place = i;
        }
    }
    return place;
}
/* Lower bits of the sum show any other grouping. */
static double gain(Point *points, char *moves, double *lower, int count, int n, int x)
{
    double cost = 0;
#pragma omp parallel for reduction(+ : cost) schedule(static)
    for (int i = 0; i < count; i++) { // remark: sums of 4 iterations are computed at once [jam-sums]
        double d = apart(points[i], points[x], n) * points[i].weight;
        if (d < points[i].cost)
            cost += d - points[i].cost;
        else
            lower[i] += points[i].cost - d;
    }
    return cost;
}
/* Rows of many lengths: together as far as the shortest one goes. */
static double rows_of_lengths(const int *first, const int *column, const double *a, const double *x, float *y, int n)
{
    double all = 0, sum = 0;
    int j, k = 0;
    for (j = 0; j < n; j++) { // remark: sums of 4 iterations are computed at once [jam-sums]
        sum = 0.5 * j;
        for (k = first[j]; k < first[j + 1]; k++) sum = sum + a[k] * x[column[k]];
        if (sum > 1.0) all += sum;
        y[j] = (float)sum + k;
    }
    return all + sum + k;
}
static void in_region(const int *first, const int *column, const double *a, float *y, int n)
{
#pragma omp parallel
    {
        int j;
        float sum;
#pragma omp for nowait
        for (j = n - 1; j >= 0; j--) { // remark: sums of 4 iterations are computed at once [jam-sums]
            sum = 1;
            for (int k = first[j]; k <= first[j + 1] - 1; k++) {
                const float t = (float)a[k] * 0.5f;
                sum = sum * 0.75f + t * column[k];
            }
            if (sum < 5) y[j] += sum;
        }
    }
}
/* Polynomials at several places, by Horner's rule, with a step of two. */
static float horner(const float *c, const float *x, int terms, int n)
{
    float all = 0;
    for (long i = 0; i < n; i += 2) { // remark: sums of 4 iterations are computed at once [jam-sums]
        float v = c[terms];
        int k;
        for (k = 0; k < terms; k++) v = v * x[i] + c[k];
        all = all * 0.5f + v;
    }
    return all;
}
/* Triangles: what the inner loop begins with and ends with moves. */
static double triangle(const double *l, const double *b, double *restrict out, int n)
{
    double last = 0;
    for (int i = 0; i < n; i++) { // remark: sums of 4 iterations are computed at once [jam-sums]
        double s = b[i];
        for (int k = i / 2; k < i; k++) s -= l[i * 8 + k] * b[k];
        last = s > last ? s : last * 0.5;
    }
    out[0] = last;
    return last;
}
/* The sum is read when the loop has ended. */
static double kept(const double *a, int n, int m)
{
    double s = -1, most = 0;
    for (int i = 0; i < n; i++) { // remark: sums of 4 iterations are computed at once [jam-sums]
        s = 0;
        for (int k = 0; k < m; k++) s += a[i + k] * a[k];
        if (most < s) most = s;
        s = s * 0.25;
    }
    return s + most;
}
int main(void)
{
    enum { N = 61, M = 40 };
    static float memory[N * M], *rows[N], x[N], z[N];
    static double a[4000], b[N], y[N], l[N * 8 + N];
    static int first[N + 1], column[4000];
    static Point points[N];
    static char moves[N];
    unsigned seed = 1;
    for (int i = 0; i < N * M; i++) memory[i] = (float)((seed = seed * 1103515245u + 12345u) >> 8 & 1023) / 777;
    for (int i = 0; i < 4000; i++) a[i] = memory[i % (N * M)] / 3, column[i] = i * 31 % N;
    for (int i = 0; i < N * 8 + N; i++) l[i] = a[i] * 0.1;
    for (int i = 0; i < N; i++) {
        rows[i] = memory + M * (i * 17 % N);
        points[i].at = rows[i];
        points[i].weight = 1 + i % 3;
        points[i].cost = i;
        b[i] = a[i], x[i] = memory[i];
    }
    static const int counts[] = {0, 1, 3, 4, 5, 8, 30, N};
    for (int c = 0; c < 8; c++)
        for (int m = 0; m <= M; m += m < 10 ? 3 : 10) {
            int n = counts[c];
            first[0] = 0;
            for (int j = 0; j < N; j++) first[j + 1] = first[j] + (m > 20 ? m + j * j % 7 : j * m % 29);
            printf("%d %d %d", n, m, nearest(rows[5], rows, n, m));
            if (n == 0 || n == N) printf(" %.17g", gain(points, moves, y, n ? 1 : 0, m, 2));
            gain(points, moves, y, n, m, 3);
            printf(" %.17g", rows_of_lengths(first, column, a, b, z, n));
            in_region(first, column, a, z, n);
            printf(" %.9g %.17g %.17g", horner(memory, x, m, n), triangle(l, b, y, n), kept(a, n, m));
            for (int j = 0; j < N; j++) printf(" %a %a", y[j], z[j]);
            printf("\n");
        }
    return 0;
}
