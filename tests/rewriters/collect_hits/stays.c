// s2s: --passes=collect-hits --force -- -fopenmp
// stays
#include <math.h>
#include <stdio.h>
/* The work moves what the next iterations measure. */
void moved(int n, double *x, double cut)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j], r = d * d + 0.5 * d;
            if (r < cut) {
                double f = 1.0 / (1.0 + r) * sqrt(r + 2.0);
                x[i] += f * d; // missed: what is picked changes what the condition reads [collect-hits]
            }
        }
}
/* The cut-off shrinks. */
double shrinking(int n, const double *x, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) { // missed: what is picked changes 'cut', which is read ahead [collect-hits]
            sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
            cut = r * 0.75 + 0.5 * cut;
        }
    }
    return sum;
}
/* Found: the rest is not looked at. */
double first(int n, const double *x, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) {
            sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
            if (sum > 100) break;
        }
    }
    return sum;
}
/* The condition counts. */
double counting(int n, const double *x, double cut, int *asked)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if ((*asked)++ < 100 && r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r); // missed: the condition has effects, or calls something [collect-hits]
    }
    return sum;
}
/* A value goes on from one iteration to the next. */
double carried(int n, const double *x, double cut)
{
    double sum = 0, last = 0;
    for (int j = 0; j < n; j++) {
        double d = last - x[j], r = d * d + 0.5 * d; // missed: 'last' is carried from one iteration to the next [collect-hits]
        last = x[j] * 0.5;
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
    }
    return sum;
}
/* The distance is wanted behind the loop. */
double kept(int n, const double *x, double cut)
{
    double sum = 0, r = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j];
        r = d * d + 0.5 * d;
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r); // missed: 'r' may be read behind the loop [collect-hits]
    }
    return sum + r;
}
/* Written for all iterations. */
double noted(int n, const double *x, double *far, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        far[j] = r; // missed: something is stored before the condition [collect-hits]
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
    }
    return sum;
}
/* Nobody knows what the work does, or prints. */
void visit(int j);
void told(int n, const double *x, double cut)
{
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut && n > 3) {
            visit((int)(exp(-r) / (1.0 + r))); // missed: 'visit' may do anything, or stop [collect-hits]
        }
    }
}
double printed(int n, const double *x, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) {
            sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
            printf("%g\n", sum);
        }
    }
    return sum;
}
/* Volatile, and updates that other threads see. */
double watched(int n, const volatile double *x, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
    }
    return sum;
}
double together(int n, const double *x, double cut)
{
    static double sum;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = x[i] - x[j], r = d * d + 0.5 * d;
            if (r < cut) {
                double v = 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
#pragma omp atomic
                sum += v;
            }
        }
    return sum;
}
/* Little work: a list costs more. */
int counted(int n, const double *x, double cut)
{
    int hits = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) hits++;
    }
    return hits;
}
/* Elements that are anywhere make no vectors. */
double gathered(int n, const double *x, const int *at, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[at[j]], r = d * d + 0.5 * d; // missed: iterations read elements that are anywhere [collect-hits]
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
    }
    return sum;
}
/* Rounds of a team's loop; and lanes that the source asks for. */
double shared(int n, const double *x, double cut)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < n; j++) { // missed: directives say how the loop runs [collect-hits]
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
    }
    return sum;
}
void collapsed(int n, const double *x, double *out, double cut)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) { // missed: directives say how the loop runs [collect-hits]
            double d = x[i] - x[j], r = d * d + 0.5 * d;
            if (r < cut) out[i * 1000 + j] = 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
        }
}
/* It is not known where the work writes. */
double scattered(int n, const double *x, double *bins, const int *at, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) {
            double v = 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
            sum += v;
            bins[at[j]] += v; // missed: memory says where this lies [collect-hits]
        }
    }
    return sum;
}
/* The pointer to what is written may not be there to be read. */
struct sums {
    double *bins;
};
double sometimes(int n, const double *x, struct sums *s, double cut)
{
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double d = x[0] - x[j], r = d * d + 0.5 * d;
        if (r < cut) {
            double v = 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(r);
            sum += v;
            if (s) s->bins[j] += v; // missed: it is not known whether this may be read ahead [collect-hits]
        }
    }
    return sum;
}
