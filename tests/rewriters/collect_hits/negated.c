// s2s: --passes=collect-hits --force -- -fopenmp
// run
/* What is left out is said by a comparison that does not hold: numbers that are none are, too. */
#include <math.h>
#include <stdio.h>
static double x[300], y[300], pull[300];

static int skipped(int n, double cut)
{
    int hits = 0;
    for (int i = 0; i < n; i++) // remark: listed before their work [collect-hits]
        for (int j = 0; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            double square = dx * dx + dy * dy;
            if (!(square < cut))
                continue;
            double f = 1 / (1 + square) + sqrt(square + 2);
            pull[i] += f * dx;
            hits++;
        }
    return hits;
}

static int taken(int n, double cut)
{
    int hits = 0;
    for (int i = 0; i < n; i++) // remark: listed before their work [collect-hits]
        for (int j = 0; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            double square = dx * dx + dy * dy;
            if (!(square >= cut) && i != j) {
                double f = 1 / (1 + square) + sqrt(square + 2);
                pull[i] += f * dx;
                hits++;
            }
        }
    return hits;
}

int main(void)
{
    for (int n = 1; n <= 300; n += n < 40 ? 3 : 52) {
        for (int i = 0; i < n; i++) {
            x[i] = (i * 37 % 101) * 0.31;
            y[i] = (i * 53 % 89) * 0.27;
            pull[i] = 0;
        }
        if (n > 7)
            x[5] = NAN;
        int first = skipped(n, 20), second = taken(n, 31);
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum = sum * 0.9 + (isnan(pull[i]) ? 7 : pull[i]);
        printf("%d %d %d %a\n", n, first, second, sum);
    }
    return 0;
}
