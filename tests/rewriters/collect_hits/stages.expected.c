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
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s_i_list[256];
            double s2s_a_of[256];
            double s2s_b_of[256];
            double s2s_r_of[256];
            double s2s_t_of[256];
            double s2s_g_of[256];
            int s2s_bin_of[256];
            double s2s_a_all[64];
            double s2s_b_all[64];
            double s2s_r_all[64];
            long long s2s_picked[64];
            int s2s_listed, s2s_few = 1;
            unsigned long long s2s_seen;
            int s2s_wait0 = 0;
            i = 0;
            if ((i < n) && !((unsigned long)(n) - (unsigned long)i > 15))
                s2s_few = 0;
            while (s2s_few && (i < n)) {
                s2s_listed = 0;
                s2s_seen = 0;
                while (s2s_listed < 192 && (i < n)) {
                    const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)i;
                    const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                    const int s2s_at = i;
                    for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                        const int i = s2s_at + s2s_l;
                        double a;
                        double b;
                        double r;
                        a = 2.0 * u[2 * i + k] - 1.0;
                        b = 2.0 * u[2 * i + k + 1] - 1.0;
                        r = a * a + b * b;
                        s2s_picked[s2s_l] = (r <= 1.0) & (r > 0.0);
                        s2s_a_all[s2s_l] = a;
                        s2s_b_all[s2s_l] = b;
                        s2s_r_all[s2s_l] = r;
                    }
                    const int s2s_before = s2s_listed;
                    for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                        s2s_i_list[s2s_listed] = s2s_at + s2s_l;
                        s2s_listed += s2s_picked[s2s_l];
                    }
                    for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                        s2s_a_of[s2s_h] = s2s_a_all[s2s_i_list[s2s_h] - s2s_at];
                        s2s_b_of[s2s_h] = s2s_b_all[s2s_i_list[s2s_h] - s2s_at];
                        s2s_r_of[s2s_h] = s2s_r_all[s2s_i_list[s2s_h] - s2s_at];
                    }
                    s2s_seen += s2s_some;
                    i += s2s_some;
                }
                for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                    double r = s2s_r_of[s2s_h];
                    double t;
                    t = sqrt(-2.0 * log(r) / r);
                    s2s_t_of[s2s_h] = t;
                }
                for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                    double a = s2s_a_of[s2s_h];
                    double b = s2s_b_of[s2s_h];
                    double t = s2s_t_of[s2s_h];
                    double g;
                    double h;
                    int bin;
                    g = a * t;
                    h = b * t;
                    bin = LARGER(fabs(g), fabs(h));
                    s2s_g_of[s2s_h] = g;
                    s2s_bin_of[s2s_h] = bin;
                }
                for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                    g = s2s_g_of[s2s_h];
                    bin = s2s_bin_of[s2s_h];
                    count[bin & 7] += 1.0;
                    sum = sum * 0.9375 + g;
                }
                if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                    s2s_wait0 = 0;
                } else if (--s2s_wait0 <= -2) {
                    s2s_few = 0;
                    s2s_wait0 = 63;
                }
            }
            for (; i < n; i++)
                {
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
                (void)a;
                (void)b;
                (void)bin;
                (void)g;
                (void)h;
                (void)r;
                (void)t;
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
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        float s2s_d_of[256];
        float s2s_e_of[256];
        float s2s_root_of[256];
        float s2s_least_of[256];
        float s2s_most_of[256];
        float s2s_half_of[256];
        float s2s_worth_of[256];
        int s2s_bin_of[256];
        float s2s_d_all[64];
        float s2s_e_all[64];
        int s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 3;
        if ((j <= n) && !((unsigned long)(n) - (unsigned long)j >= 15))
            s2s_few = 0;
        while (s2s_few && (j <= n)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (j <= n)) {
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j + 1;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    const float d = x[j] - 0.5f, e = d * d + 0.25f * d;
                    s2s_picked[s2s_l] = (e < reach);
                    s2s_d_all[s2s_l] = d;
                    s2s_e_all[s2s_l] = e;
                }
                const int s2s_before = s2s_listed;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                    s2s_d_of[s2s_h] = s2s_d_all[s2s_j_list[s2s_h] - s2s_at];
                    s2s_e_of[s2s_h] = s2s_e_all[s2s_j_list[s2s_h] - s2s_at];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                float d = s2s_d_of[s2s_h];
                float e = s2s_e_of[s2s_h];
                float root;
                root = sqrtf(e + 2.0f) / (1.5f + e);
                const float least = root * 0.5f + d;
                float most, half = root;
                most = expf(-root) / (2.0f + least);
                s2s_root_of[s2s_h] = root;
                s2s_least_of[s2s_h] = least;
                s2s_most_of[s2s_h] = most;
                s2s_half_of[s2s_h] = half;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                float least = s2s_least_of[s2s_h];
                float most = s2s_most_of[s2s_h];
                float half = s2s_half_of[s2s_h];
                float worth;
                int bin;
                most *= 0.5f;
                worth = most > least ? most - least : least * half;
                bin = (int)(worth * 8.0f) + j % 3;
                s2s_worth_of[s2s_h] = worth;
                s2s_bin_of[s2s_h] = bin;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                root = s2s_root_of[s2s_h];
                worth = s2s_worth_of[s2s_h];
                bin = s2s_bin_of[s2s_h];
                if (worth > 0.25f) continue;
                sum += worth;
                where[j % 5] = j;
            }
            if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                s2s_wait0 = 0;
            } else if (--s2s_wait0 <= -2) {
                s2s_few = 0;
                s2s_wait0 = 63;
            }
        }
        for (; j <= n; ++j)
            {
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
    }
    return sum + root * 3.0 + worth + bin;
}
/* The nearest one that a ray meets. */
static int nearest(int n, const double *x, const double *y, const double *z, double radius, double *best)
{
    int hit = -1;
    {
        /* s2s: iterations that the condition picks, as a list */
        long s2s_j_list[256];
        double s2s_b_of[256];
        double s2s_d_of[256];
        double s2s_root_of[256];
        double s2s_b_all[64];
        double s2s_d_all[64];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1, s2s_rounds = 0;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        long j = 0;
        const long s2s_first = j;
        if ((j < n) && !((unsigned long)(n) - (unsigned long)j > 15))
            s2s_few = 0;
        while (s2s_few && (j < n)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (j < n)) {
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const long s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const long j = s2s_at + s2s_l;
                    double dx = x[j] - 0.5, dy = y[j] - 0.25, dz = z[j] + 1.0, b = 0.1 * dx + 0.2 * dy + dz;
                    double d = b * b - dx * dx - dy * dy - dz * dz + radius;
                    s2s_picked[s2s_l] = !(d <= 0.0);
                    s2s_b_all[s2s_l] = b;
                    s2s_d_all[s2s_l] = d;
                }
                const int s2s_before = s2s_listed;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                    s2s_b_of[s2s_h] = s2s_b_all[s2s_j_list[s2s_h] - s2s_at];
                    s2s_d_of[s2s_h] = s2s_d_all[s2s_j_list[s2s_h] - s2s_at];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_j_low = s2s_first;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&*best;
                const char *const s2s_to0 = (const char *)(&*best + 1);
                const char *const s2s_from1 = (const char *)&x[s2s_j_low];
                const char *const s2s_to1 = (const char *)(&x[s2s_j_high] + 1);
                const char *const s2s_from2 = (const char *)&y[s2s_j_low];
                const char *const s2s_to2 = (const char *)(&y[s2s_j_high] + 1);
                const char *const s2s_from3 = (const char *)&z[s2s_j_low];
                const char *const s2s_to3 = (const char *)(&z[s2s_j_high] + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from3 || s2s_to3 <= s2s_from0;
                if (!s2s_apart) {
                    j = s2s_first;
                    s2s_listed = 0;
                    s2s_few = 0;
                    break;
                }
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                double b = s2s_b_of[s2s_h];
                double d = s2s_d_of[s2s_h];
                double root = sqrt(d) / (1.0 + b * b);
                s2s_root_of[s2s_h] = root;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const long j = s2s_j_list[s2s_h];
                double b = s2s_b_of[s2s_h];
                double root = s2s_root_of[s2s_h];
                double t = b / (1.0 + root) - root;
                if (t < 0.125) t = b + root;
                if (t > 0.125 && t < *best) {
                    *best = t;
                    hit = j;
                }
            }
            if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                s2s_wait0 = 0;
            } else if (--s2s_wait0 <= -2) {
                s2s_few = 0;
                s2s_wait0 = 63;
            }
        }
        for (; j < n; j++)
            {
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
    }
    return hit;
}
/* A value of the condition changes in the work; what is read may be what is written. */
static double pulls(int n, const double *x, const double *charge, double *force, double cut)
{
    double energy = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        double s2s_d_of[256];
        double s2s_r_of[256];
        double s2s_p_of[256];
        double s2s_q_of[256];
        double s2s_d_all[64];
        double s2s_r_all[64];
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
                    double d = x[i] - x[j], r = d * d + 0.125 * d;
                    s2s_picked[s2s_l] = (r < cut);
                    s2s_d_all[s2s_l] = d;
                    s2s_r_all[s2s_l] = r;
                }
                const int s2s_before = s2s_listed;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                    s2s_d_of[s2s_h] = s2s_d_all[s2s_j_list[s2s_h] - s2s_at];
                    s2s_r_of[s2s_h] = s2s_r_all[s2s_j_list[s2s_h] - s2s_at];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_i_low = s2s_first;
                const long s2s_i_high = (long)(n) - 1;
                const long s2s_j_low = 0;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&force[s2s_j_low];
                const char *const s2s_to0 = (const char *)(&force[s2s_j_high] + 1);
                const char *const s2s_from1 = (const char *)&x[s2s_i_low];
                const char *const s2s_to1 = (const char *)(&x[s2s_i_high] + 1);
                const char *const s2s_from2 = (const char *)&x[s2s_j_low];
                const char *const s2s_to2 = (const char *)(&x[s2s_j_high] + 1);
                const char *const s2s_from3 = (const char *)&charge[s2s_j_low];
                const char *const s2s_to3 = (const char *)(&charge[s2s_j_high] + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from3 || s2s_to3 <= s2s_from0;
                if (!s2s_apart) {
                    i = s2s_first;
                    s2s_listed = 0;
                    s2s_few = 0;
                    s2s_inside = 0;
                    break;
                }
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                double r = s2s_r_of[s2s_h];
                r = sqrt(r + 1.0);
                double p = charge[j] / r, q = exp(-r);
                s2s_r_of[s2s_h] = r;
                s2s_p_of[s2s_h] = p;
                s2s_q_of[s2s_h] = q;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                double d = s2s_d_of[s2s_h];
                double r = s2s_r_of[s2s_h];
                double p = s2s_p_of[s2s_h];
                double q = s2s_q_of[s2s_h];
                double s = r < 1.125 ? p * q : p;
                if (s > 0.5) s -= q;
                energy += s;
                force[j] += s * d;
                r = 7.0;
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
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        double s2s_x_of[256];
        double s2s_w_of[256];
        double s2s_e_of[256];
        double s2s_x_all[64];
        double s2s_w_all[64];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1, s2s_rounds = 0;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = b->from;
        const int s2s_first = j;
        if ((j < b->to) && !((unsigned long)(b->to) - (unsigned long)j > 15))
            s2s_few = 0;
        while (s2s_few && (j < b->to)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (j < b->to)) {
                const unsigned long s2s_left = (unsigned long)(b->to) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double x;
                    double w;
                    x = u[j] * 4.0 - 2.0;
                    w = 0.5 + x * x * (0.25 - 0.0625 * x);
                    s2s_picked[s2s_l] = (w < 0.75);
                    s2s_x_all[s2s_l] = x;
                    s2s_w_all[s2s_l] = w;
                }
                const int s2s_before = s2s_listed;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                    s2s_x_of[s2s_h] = s2s_x_all[s2s_j_list[s2s_h] - s2s_at];
                    s2s_w_of[s2s_h] = s2s_w_all[s2s_j_list[s2s_h] - s2s_at];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const char *const s2s_from0 = (const char *)&taken[0];
                const char *const s2s_to0 = (const char *)(&taken[0] + 1);
                const char *const s2s_from1 = (const char *)&b->from;
                const char *const s2s_to1 = (const char *)(&b->from + 1);
                const char *const s2s_from2 = (const char *)&b->to;
                const char *const s2s_to2 = (const char *)(&b->to + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                if (!s2s_apart) {
                    j = s2s_first;
                    s2s_listed = 0;
                    s2s_few = 0;
                    break;
                }
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                double w = s2s_w_of[s2s_h];
                double e = pow(w, 1.5) * b->weight[j] / (1.0 + w);
                s2s_e_of[s2s_h] = e;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                x = s2s_x_of[s2s_h];
                double e = s2s_e_of[s2s_h];
                if (e > 0.25) sum += e;
                else if (x > 0) sum -= log(1.0 + x) * e;
                taken[0]++;
            }
            if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                s2s_wait0 = 0;
            } else if (--s2s_wait0 <= -2) {
                s2s_few = 0;
                s2s_wait0 = 63;
            }
        }
        for (; j < b->to; j++)
            {
                x = u[j] * 4.0 - 2.0;
                w = 0.5 + x * x * (0.25 - 0.0625 * x);
                if (w < 0.75) {
                    double e = pow(w, 1.5) * b->weight[j] / (1.0 + w);
                    if (e > 0.25) sum += e;
                    else if (x > 0) sum -= log(1.0 + x) * e;
                    taken[0]++;
                }
            }
            (void)w;
            (void)x;
    }
    return sum;
}
/* Three stages, the last one without a choice. */
static double in_turn(int n, const double *x, double cut, double *out)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        double s2s_d_of[256];
        double s2s_r_of[256];
        double s2s_s_of[256];
        double s2s_t_of[256];
        double s2s_v_of[256];
        double s2s_w_of[256];
        double s2s_d_all[64];
        double s2s_r_all[64];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1, s2s_rounds = 0;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
        const int s2s_first = j;
        if ((j < n) && !((unsigned long)(n) - (unsigned long)j > 15))
            s2s_few = 0;
        while (s2s_few && (j < n)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (j < n)) {
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const int s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const int j = s2s_at + s2s_l;
                    double d = x[j] * 1.5 - 0.5, r = d * d + d * 0.5;
                    s2s_picked[s2s_l] = (r < cut);
                    s2s_d_all[s2s_l] = d;
                    s2s_r_all[s2s_l] = r;
                }
                const int s2s_before = s2s_listed;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                for (int s2s_h = s2s_before; s2s_h < s2s_listed; s2s_h++) {
                    s2s_d_of[s2s_h] = s2s_d_all[s2s_j_list[s2s_h] - s2s_at];
                    s2s_r_of[s2s_h] = s2s_r_all[s2s_j_list[s2s_h] - s2s_at];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_j_low = s2s_first;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&out[s2s_j_low];
                const char *const s2s_to0 = (const char *)(&out[s2s_j_high] + 1);
                const char *const s2s_from1 = (const char *)&x[s2s_j_low];
                const char *const s2s_to1 = (const char *)(&x[s2s_j_high] + 1);
                int s2s_apart = 1;
                s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                if (!s2s_apart) {
                    j = s2s_first;
                    s2s_listed = 0;
                    s2s_few = 0;
                    break;
                }
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                double r = s2s_r_of[s2s_h];
                double s = log(r + 2.0) / (1.0 + r), t = 0.0;
                s2s_s_of[s2s_h] = s;
                s2s_t_of[s2s_h] = t;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                double s = s2s_s_of[s2s_h];
                double t = s2s_t_of[s2s_h];
                t = s > 0.5 ? s : 0.5;
                double v = exp(t) - s;
                s2s_t_of[s2s_h] = t;
                s2s_v_of[s2s_h] = v;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                double d = s2s_d_of[s2s_h];
                double t = s2s_t_of[s2s_h];
                double v = s2s_v_of[s2s_h];
                double w = v > 1.25 && d > 0.0 ? v : t;
                s2s_w_of[s2s_h] = w;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                double v = s2s_v_of[s2s_h];
                double w = s2s_w_of[s2s_h];
                out[j] = w;
                if (w < sum) sum -= w * 0.5;
                else sum += v;
            }
            if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                s2s_wait0 = 0;
            } else if (--s2s_wait0 <= -2) {
                s2s_few = 0;
                s2s_wait0 = 63;
            }
        }
        for (; j < n; j++)
            {
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
