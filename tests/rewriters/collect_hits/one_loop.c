// s2s: --passes=collect-hits --force -- -fopenmp -ffp-contract=off
// run
// text x9: /* s2s: iterations that the condition picks, as a list */
// no text: _of[
#include <math.h>
#include <stdio.h>
static double a[300], b[300];
static int at[300];
/* The slow value depends on what the work of the hit before has left. */
static double carried(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = sqrt(r + sum) / (1.0 + r);
            if (s > 0.5) sum += s;
            else sum += 0.25;
        }
    }
    return sum;
}
/* It is read from where the work writes. */
static double stored(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = sqrt(r + b[j % 8]) / (1.0 + r);
            if (s > 0.5) sum += s;
            b[7] = sum - s;
        }
    }
    return sum;
}
/* A global that the work adds to. */
static double level = 0.5;
static double raised(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = log(r + 2.0) * level / (1.0 + r);
            if (s > 0.5) sum += s;
            level += 0.0625;
        }
    }
    return sum;
}
/* A function of the program, which may do anything with its own. */
static double log2p(double v)
{
    static double last = 1.0;
    last = last * 0.5 + v;
    return last;
}
static double called(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = log2p(r) / (1.0 + r);
            if (s > 0.5) sum += sqrt(s);
        }
    }
    return sum;
}
/* Nothing is chosen by what is slow, or only between whole numbers. */
static double straight(int n, const double *x, double cut)
{
    double sum = 0.0, bins[41] = {0};
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = log(r + 2.0) / (1.0 + r);
            int bin = (int)(s * 64.0);
            if (bin > 40) bin = 40;
            bins[bin] += s;
            sum += d > 0.0 ? s : 0.5 * s;
        }
    }
    for (int i = 0; i < 41; i++) sum = sum * 0.5 + bins[i];
    return sum;
}
/* The list may hold more than the condition picks. */
static double some_terms(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that 1 of 2 terms pick are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut && at[j] != 3) {
            double s = log(r + 2.0) / (1.0 + r);
            if (s > 0.5) sum += s;
        }
    }
    return sum;
}
/* One name for two variables. */
static double hidden(int n, const double *x, double cut)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
        double d = x[j] - 0.5, r = d * d + 0.25 * d;
        if (r < cut) {
            double s = log(r + 2.0) / (1.0 + r);
            if (s > 0.5) {
                double r = s * 0.5;
                sum += r;
            }
            sum -= r * 0.125;
        }
    }
    return sum;
}
/* Two lists in one loop, which both remember beyond their loops whether they were of use. */
static double twice(int n, int m, const double *x, double cut)
{
    double sum = 0.0;
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
            double d = x[k] - x[j], r = d * d + 0.5 * d;
            if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
        }
        sum *= 0.5;
        for (int j = 0; j < n; j++) { // remark: iterations of 'j' that the condition picks are listed
            double d = x[k] - x[j], r = d * d + 0.25 * d;
            if (r < cut) sum -= 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
        }
    }
    return sum;
}
int main(void)
{
    for (int i = 0; i < 300; i++) {
        a[i] = i * 37 % 101 / 101.0;
        b[i] = i * 17 % 31 / 16.0;
        at[i] = i * 7 % 40;
    }
    for (int n = 0; n < 300; n = 2 * n + 5) {
        printf("%a %a %a ", carried(n, a, 0.125), stored(n, a, 0.25), raised(n, a, 0.125));
        printf("%a %a ", called(n, a, 0.125), straight(n, a, 0.125));
        printf("%a ", twice(n, 5, a, n % 2 ? 0.125 : 9.0));
        printf("%a %a\n", some_terms(n, a, 0.25), hidden(n, a, 0.125));
    }
    return 0;
}
