/* Comments within conditions, bounds and subscripts, which the new code repeats in one line. */
#include <math.h>
#include <stdio.h>
#define NEAR(square) ((square) < cut)
static double x[300], y[300], force[300];

static int conditions(int n, double cut)
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
                    double square = dx * dx + dy * dy; // of the distance
                    s2s_picked[s2s_l] = (square < cut) & (i != j);
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
                double square = dx * dx + dy * dy; // of the distance
                if (square // the square
                       < cut // is near
                   && /* not itself */ i != j // and another one
                ) {
                   double f = 1 / (1 + square) + sqrt(square + 2);
                   force[i // this one
                   ] += f * dx;
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
                double square = dx * dx + dy * dy; // of the distance
                if (square // the square
                       < cut // is near
                   && /* not itself */ i != j // and another one
                ) {
                   double f = 1 / (1 + square) + sqrt(square + 2);
                   force[i // this one
                   ] += f * dx;
                   hits++;
                }
                }
        }
    }
    return hits;
}

static int macro(int n, double cut, const double *a, const double *b, double *sum)
{
    int hits = 0;
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
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double dx = a[i // one
                                  + 1] - a[j], dy = b[i] - b[j];
                    double square = dx * dx + dy * dy;
                    s2s_picked[s2s_l] = (NEAR(square));
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
                const char *const s2s_from0 = (const char *)&sum[s2s_i_low + 0];
                const char *const s2s_to0 = (const char *)(&sum[s2s_i_high + 0] + 1);
                const char *const s2s_from1 = (const char *)&a[s2s_i_low + 1];
                const char *const s2s_to1 = (const char *)(&a[s2s_i_high + 1] + 1);
                const char *const s2s_from2 = (const char *)&a[s2s_j_low];
                const char *const s2s_to2 = (const char *)(&a[s2s_j_high] + 1);
                const char *const s2s_from3 = (const char *)&b[s2s_i_low];
                const char *const s2s_to3 = (const char *)(&b[s2s_i_high] + 1);
                const char *const s2s_from4 = (const char *)&b[s2s_j_low];
                const char *const s2s_to4 = (const char *)(&b[s2s_j_high] + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from3 || s2s_to3 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from4 || s2s_to4 <= s2s_from0;
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
                    double dx = a[i // one
                                  + 1] - a[j], dy = b[i] - b[j];
                    double square = dx * dx + dy * dy;
                    if (NEAR(square) // the macro's
                       ) {
                    double f = 1 / (1 + square) + sqrt(square + 2);
                    sum[i // one
                        + 0] += f * dy;
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
                    double dx = a[i // one
                                  + 1] - a[j], dy = b[i] - b[j];
                    double square = dx * dx + dy * dy;
                    if (NEAR(square) // the macro's
                       ) {
                    double f = 1 / (1 + square) + sqrt(square + 2);
                    sum[i // one
                        + 0] += f * dy;
                    hits++;
                    }
                }
        }
    }
    return hits;
}

int main(void)
{
    static const int sizes[] = {0, 1, 15, 16, 63, 64, 65, 299};
    for (int k = 0; k < 8; k++)
        for (int cut = 0; cut < 60; cut += 19) {
            for (int i = 0; i < 300; i++) {
                x[i] = i * 37 % 101 / 8.0;
                y[i] = i * 53 % 89 / 8.0;
                force[i] = 0;
            }
            int first = conditions(sizes[k], cut), other = macro(sizes[k], cut, x, y, force);
            int shared = sizes[k] < 200 ? macro(sizes[k], cut, x + 3, y, x + 3) : 0;
            double all = 0;
            for (int i = 0; i < 300; i++) all += force[i] * (i % 7 + 1) + x[i];
            printf("%d %d %d %.17g\n", first, other, shared, all);
        }
    return 0;
}
