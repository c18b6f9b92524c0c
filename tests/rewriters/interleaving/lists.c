// s2s: --passes=interleave,collect-hits -- -fopenmp -ffp-contract=off
// run
// text x2: as lanes
// text x3: /* s2s: iterations that the condition picks, as a list */
// text: s2s2_t_of[256]
// not said: internal
#include <math.h>
#include <stdio.h>
#define M 300
static double x[M];
#pragma omp threadprivate(x)
static void fill(int n, double *seed, double a, double y[])
{
    double s, t, a1;
    t = 0.5 * a;
    a1 = (int)t;
    s = *seed;
    for (int i = 1; i <= n; i++) {
        t = a1 * s + 0.3125;
        s = t - (int)t;
        y[i] = s;
    }
    *seed = s;
}
static void step(double *s) { *s = *s * 0.75 + 0.125; }
/* Pairs of numbers of a recurrence in lanes are accepted by lists; a variable is a seed, too. */
static double pairs(int n, double *total)
{
    double sum = 0;
#pragma omp parallel copyin(x)
    {
        int i, k, l;
        double s, t, u, v, w, mine[4] = {0};
#pragma omp for reduction(+ : sum) schedule(static)
        for (k = 1; k <= n; k++) { // remark: 'fill' runs for 8 iterations of 'k' at once, as lanes [interleave] // remark: inside, iterations of 'i' that the condition picks are listed before their work [collect-hits]
            s = k * 0.0625;
            for (i = 0; i < k % 4; i++) step(&s);
            fill(M, &s, 7.5, x - 1);
            double part = 0.0;
            for (i = 0; i < M / 2; i++) {
                u = 2.0 * x[2 * i] - 1.0;
                v = 2.0 * x[2 * i + 1] - 1.0;
                s = u * u + v * v;
                if (s <= 1.0) {
                    t = sqrt(-2.0 * log(s + 0.0009765625) / (s + 0.0009765625));
                    u *= t;
                    w = v * t;
                    l = fabs(u) > fabs(w) ? fabs(u) : fabs(w);
                    mine[l & 3] += 1;
                    part = part * 0.5 + w;
                }
            }
            sum += (int)(part * 1024);
        }
#pragma omp critical
        for (i = 0; i < 4; i++) total[i] += mine[i];
    }
    return sum;
}
/* In one thread, with a row of its own for the list's judgement. */
static double in_turn(int n)
{
    static double row[M + 1];
    double s, start = 0.25, sum = 0;
    for (int k = 0; k < n; k++) { // remark: 'fill' runs for 8 iterations of 'k' at once, as lanes [interleave] // remark: inside, iterations of 'i' that the condition picks are listed before their work [collect-hits]
        s = start;
        fill(M, &s, 9.5, row);
        for (int i = 1; i <= M; i++) {
            const double d = row[i] - 0.5, r = d * d + 0.25 * d;
            if (r < 0.0625) {
                double e = exp(-r) / (1.0 + r);
                sum = e > 0.96875 ? sum * 0.5 : sum + e;
            }
        }
        if (k != n) step(&start);
    }
    return sum + row[3] + start;
}
int main(void)
{
    static const int sizes[] = {0, 1, 7, 8, 9, 16, 39};
    for (int i = 0; i < 7; i++) {
        int n = sizes[i];
        double total[4] = {0};
        printf("%a ", pairs(n, total));
        printf("%g %g %g %g ", total[0], total[1], total[2], total[3]);
        printf("%a\n", in_turn(n));
    }
    return 0;
}
