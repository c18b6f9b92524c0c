// s2s: --passes=collect-hits --force -- -ffp-contract=off
// run
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct pot {
    double *sums;
};
/* Variables that a branch before the loops declares are gone when these begin. */
static double all(struct pot *p, int n, const double *x, double cut)
{
    double sum = 0;
    if (p->sums == NULL) {
        int room = 2 * n + 1;
        p->sums = calloc(room, sizeof(double));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) { // remark@*: iterations of 'j' that the condition picks are listed
            double d = x[i] - x[j], r = d * d + 0.5 * d;
            if (r < cut) {
                double s = sqrt(r + 1.0) / (2.0 + r);
                p->sums[i] += s * s;
                sum += exp(-s);
            }
        }
    return sum;
}
int main(void)
{
    double x[90];
    struct pot p = {NULL};
    for (int i = 0; i < 90; i++) x[i] = (i * 37 % 90) / 45.0;
    printf("%a\n", all(&p, 90, x, 0.125));
    printf("%a %a %a\n", all(&p, 80, x, 0.5), p.sums[7], p.sums[89]);
    return 0;
}
