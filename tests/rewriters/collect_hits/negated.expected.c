/* What is left out is said by a comparison that does not hold: numbers that are none are, too. */
#include <math.h>
#include <stdio.h>
static double x[300], y[300], pull[300];

static int skipped(int n, double cut)
{
    int hits = 0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_i_list[256];
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int i = 0;
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
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    s2s_picked[s2s_l] = !(!(square < cut));
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_i_list[s2s_listed] = i;
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int i = s2s_i_list[s2s_h];
                const int j = s2s_j_list[s2s_h];
                {
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    if (!(square < cut))
                        continue;
                    double f = 1 / (1 + square) + sqrt(square + 2);
                    pull[i] += f * dx;
                    hits++;
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
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    if (!(square < cut))
                        continue;
                    double f = 1 / (1 + square) + sqrt(square + 2);
                    pull[i] += f * dx;
                    hits++;
                }
        }
    }
    return hits;
}

static int taken(int n, double cut)
{
    int hits = 0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_i_list[256];
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int i = 0;
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
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    s2s_picked[s2s_l] = (!(square >= cut)) & (i != j);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_i_list[s2s_listed] = i;
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int i = s2s_i_list[s2s_h];
                const int j = s2s_j_list[s2s_h];
                {
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    if (!(square >= cut) && i != j) {
                        double f = 1 / (1 + square) + sqrt(square + 2);
                        pull[i] += f * dx;
                        hits++;
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
                    double dx = x[i] - x[j], dy = y[i] - y[j];
                    double square = dx * dx + dy * dy;
                    if (!(square >= cut) && i != j) {
                        double f = 1 / (1 + square) + sqrt(square + 2);
                        pull[i] += f * dx;
                        hits++;
                    }
                }
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
