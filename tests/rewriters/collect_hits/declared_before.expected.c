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
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_i_list[256];
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1, s2s_rounds = 0;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int i = 0;
        const int s2s_first = i;
        int s2s_inside = 0;
        int j = 0;
        while (s2s_few && (i < n)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (i < n)) {
                if (!s2s_inside) {
                    j = 0;
                    s2s_inside = 1;
                }
                if (!(j < n)) {
                    i++;
                    s2s_inside = 0;
                    continue;
                }
                const unsigned long s2s_left =
                        (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double d = x[i] - x[j], r = d * d + 0.5 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_i_list[s2s_listed] = i;
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_i_low = s2s_first;
                const long s2s_i_high = (long)(n) - 1;
                const long s2s_j_low = 0;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&p->sums[s2s_i_low];
                const char *const s2s_to0 =
                        (const char *)(&p->sums[s2s_i_high] + 1);
                const char *const s2s_from1 = (const char *)&x[s2s_i_low];
                const char *const s2s_to1 = (const char *)(&x[s2s_i_high] + 1);
                const char *const s2s_from2 = (const char *)&x[s2s_j_low];
                const char *const s2s_to2 = (const char *)(&x[s2s_j_high] + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                if (!s2s_apart) {
                    i = s2s_first;
                    s2s_listed = 0;
                    s2s_few = 0;
                    s2s_inside = 0;
                    break;
                }
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int i = s2s_i_list[s2s_h];
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[i] - x[j], r = d * d + 0.5 * d;
                    if (r < cut) {
                        double s = sqrt(r + 1.0) / (2.0 + r);
                        p->sums[i] += s * s;
                        sum += exp(-s);
                    }
                }
            }
            if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                s2s_wait0 = 0;
            } else if (--s2s_wait0 <= -2) {
                s2s_few = 0;
                s2s_wait0 = 63;
            }
        }
        for (; i < n; i++) {
            if (!s2s_inside) {
                j = 0;
            }
            s2s_inside = 0;
            for (; j < n; j++)
                {
                    double d = x[i] - x[j], r = d * d + 0.5 * d;
                    if (r < cut) {
                        double s = sqrt(r + 1.0) / (2.0 + r);
                        p->sums[i] += s * s;
                        sum += exp(-s);
                    }
                }
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
