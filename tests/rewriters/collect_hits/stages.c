// s2s: --passes=collect-hits --force -- -fopenmp -ffp-contract=off
// run
// text x6: /* s2s: iterations that the condition picks, as a list */
// text: s2s_bin_of[256]
// text: s2s_worth_of[256]
// text x2: double s2s_t_of[256]
// text: s2s_q_of[256]
// text: s2s_e_of[256]
// text: s2s_w_of[256]
#include <math.h>
#include <stdio.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
static unsigned state = 9;
static double next(void)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}
/* Pairs of normal numbers (G. Marsaglia), counted in squares; variables from outside of the loop. */
static double normals(int n, const double *u, int rows)
{
    double a, b, r, t, g, h, total = 0.0;
    int i, bin = -1;
#pragma omp parallel for private(a, b, r, t, g, h, i, bin) reduction(+ : total)
    for (int k = 0; k < rows; k++) {
        double count[8] = {0}, sum = 0.0;
        for (i = 0; i < n; i++) { // remark: iterations of 'i' that the condition picks are listed
            a = 2.0 * u[2 * i + k] - 1.0;
            b = 2.0 * u[2 * i + k + 1] - 1.0;
            r = a * a + b * b;
            if (r <= 1.0 && r > 0.0) {
                t = sqrt(-2.0 * log(r) / r);
                g = a * t;
                h = b * t;
                bin = LARGER(fabs(g), fabs(h)); // in squares
                count[bin & 7] += 1.0;
                sum = sum * 0.9375 + g;
            }
        }
        for (i = 0; i < 8; i++) total += floor(count[i] * (i + 1) + sum);
    }
    return total;
}
/* What is left when the loop ends is that of the last hit. */
static double last_one(int n, const float *x, float reach, int *where)
{
    float root = -1.0f, worth = 0.5f, sum = 0.0f;
    int bin = 0;
    for (int j = 3; j <= n; ++j) { // remark: iterations of 'j' that the condition picks are listed
        const float d = x[j] - 0.5f, e = d * d + 0.25f * d;
        if (e < reach) {
            root = sqrtf(e + 2.0f) / (1.5f + e);
            const float least = root * 0.5f + d;
            float most, half = root;
            most = expf(-root) / (2.0f + least);
            most *= 0.5f;
            worth = most > least ? most - least : least * half;
            bin = (int)(worth * 8.0f) + j % 3;
            if (worth > 0.25f) continue;
            sum += worth;
            where[j % 5] = j;
        }
    }
    return sum + root * 3.0 + worth + bin;
}
/* The nearest one that a ray meets. */
static int nearest(int n, const double *x, const double *y, const double *z, double radius, double *best)
{
    int hit = -1;
    for (long j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double dx = x[j] - 0.5, dy = y[j] - 0.25, dz = z[j] + 1.0, b = 0.1 * dx + 0.2 * dy + dz;
        double d = b * b - dx * dx - dy * dy - dz * dz + radius;
        if (d <= 0.0) continue;
        double root = sqrt(d) / (1.0 + b * b);
        double t = b / (1.0 + root) - root;
        if (t < 0.125) t = b + root;
        if (t > 0.125 && t < *best) {
            *best = t;
            hit = j;
        }
    }
    return hit;
}
/* A value of the condition changes in the work; what is read may be what is written. */
static double pulls(int n, const double *x, const double *charge, double *force, double cut)
{
    double energy = 0.0;
    for (int i = 0; i < n; i++) // remark: iterations of 'j' that the condition picks are listed
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j], r = d * d + 0.125 * d;
            if (r < cut) {
                r = sqrt(r + 1.0);
                double p = charge[j] / r, q = exp(-r);
                double s = r < 1.125 ? p * q : p;
                if (s > 0.5) s -= q;
                energy += s;
                force[j] += s * d;
                r = 7.0;
            }
        }
    return energy;
}
struct box {
    int from, to;
    double *weight;
};
/* Accepted numbers; members say how long, and memory which weight. */
static double accepted(const struct box *b, const double *u, int *taken)
{
    double sum = 0.0, x, w;
    for (int j = b->from; j < b->to; j++) { // remark: iterations of 'j' that the condition picks are listed
        x = u[j] * 4.0 - 2.0;
        w = 0.5 + x * x * (0.25 - 0.0625 * x);
        if (w < 0.75) {
            double e = pow(w, 1.5) * b->weight[j] / (1.0 + w);
            if (e > 0.25) sum += e;
            else if (x > 0) sum -= log(1.0 + x) * e;
            taken[0]++;
        }
    }
    return sum;
}
/* Three stages, the last one without a choice. */
static double in_turn(int n, const double *x, double cut, double *out)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] * 1.5 - 0.5, r = d * d + d * 0.5;
        if (r < cut) {
            double s = log(r + 2.0) / (1.0 + r), t = 0.0;
            t = s > 0.5 ? s : 0.5;
            double v = exp(t) - s;
            double w = v > 1.25 && d > 0.0 ? v : t;
            out[j] = w;
            if (w < sum) sum -= w * 0.5;
            else sum += v;
        }
    }
    return sum;
}
static double a[640], b[640], c[640], force[640];
static float f[640];
int main(void)
{
    static const int sizes[] = {0, 1, 15, 16, 17, 63, 64, 65, 200, 300};
    for (int run = 0; run < 10; run++) {
        int n = sizes[run], where[5] = {0}, taken = 0;
        double best = 1e9, sum = 0.0;
        for (int i = 0; i < 640; i++) {
            a[i] = next(), b[i] = next(), c[i] = next();
            f[i] = next();
            force[i] = 0;
        }
        printf("%d %a\n", n, normals(n, a, 5));
        printf("%a\n", last_one(n, f, run % 3 ? 0.125f : 2.0f, where));
        for (int i = 0; i < 5; i++) printf("%d ", where[i]);
        printf("%d %a\n", nearest(n, a, b, c, 1.5, &best), best);
        printf("%a ", pulls(n, a, b, force, 0.0625));
        /* Charges are forces, positions are forces. */
        printf("%a ", pulls(n, a, force, force, 0.25));
        printf("%a\n", pulls(n, a, b, a, 0.125));
        struct box box = {run, run + n, c};
        printf("%a %d\n", accepted(&box, b, &taken), taken);
        printf("%a ", in_turn(n, b, 1.25, force));
        printf("%a\n", in_turn(n, force, 0.375, force + 300));
        for (int i = 0; i < 640; i++) sum = sum * 0.75 + a[i] + force[i];
        printf("%a\n", sum);
    }
    return 0;
}
