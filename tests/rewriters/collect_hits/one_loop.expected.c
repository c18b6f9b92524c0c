#include <math.h>
#include <stdio.h>
static double a[300], b[300];
static int at[300];
/* The slow value depends on what the work of the hit before has left. */
static double carried(int n, const double *x, double cut)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut) {
                        double s = sqrt(r + sum) / (1.0 + r);
                        if (s > 0.5) sum += s;
                        else sum += 0.25;
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut) {
                    double s = sqrt(r + sum) / (1.0 + r);
                    if (s > 0.5) sum += s;
                    else sum += 0.25;
                }
            }
    }
    return sum;
}
/* It is read from where the work writes. */
static double stored(int n, const double *x, double cut)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_j_low = s2s_first;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&b[7];
                const char *const s2s_to0 = (const char *)(&b[7] + 1);
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
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut) {
                        double s = sqrt(r + b[j % 8]) / (1.0 + r);
                        if (s > 0.5) sum += s;
                        b[7] = sum - s;
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut) {
                    double s = sqrt(r + b[j % 8]) / (1.0 + r);
                    if (s > 0.5) sum += s;
                    b[7] = sum - s;
                }
            }
    }
    return sum;
}
/* A global that the work adds to. */
static double level = 0.5;
static double raised(int n, const double *x, double cut)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            if (s2s_listed && !s2s_rounds++) {
                const long s2s_j_low = s2s_first;
                const long s2s_j_high = (long)(n) - 1;
                const char *const s2s_from0 = (const char *)&level;
                const char *const s2s_to0 = (const char *)(&level + 1);
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
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut) {
                        double s = log(r + 2.0) * level / (1.0 + r);
                        if (s > 0.5) sum += s;
                        level += 0.0625;
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut) {
                    double s = log(r + 2.0) * level / (1.0 + r);
                    if (s > 0.5) sum += s;
                    level += 0.0625;
                }
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
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut) {
                        double s = log2p(r) / (1.0 + r);
                        if (s > 0.5) sum += sqrt(s);
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut) {
                    double s = log2p(r) / (1.0 + r);
                    if (s > 0.5) sum += sqrt(s);
                }
            }
    }
    return sum;
}
/* Nothing is chosen by what is slow, or only between whole numbers. */
static double straight(int n, const double *x, double cut)
{
    double sum = 0.0, bins[41] = {0};
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut) {
                        double s = log(r + 2.0) / (1.0 + r);
                        int bin = (int)(s * 64.0);
                        if (bin > 40) bin = 40;
                        bins[bin] += s;
                        sum += d > 0.0 ? s : 0.5 * s;
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut) {
                    double s = log(r + 2.0) / (1.0 + r);
                    int bin = (int)(s * 64.0);
                    if (bin > 40) bin = 40;
                    bins[bin] += s;
                    sum += d > 0.0 ? s : 0.5 * s;
                }
            }
    }
    for (int i = 0; i < 41; i++) sum = sum * 0.5 + bins[i];
    return sum;
}
/* The list may hold more than the condition picks. */
static double some_terms(int n, const double *x, double cut)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                {
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    if (r < cut && at[j] != 3) {
                        double s = log(r + 2.0) / (1.0 + r);
                        if (s > 0.5) sum += s;
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
        for (; j < n; j++)
            {
                double d = x[j] - 0.5, r = d * d + 0.25 * d;
                if (r < cut && at[j] != 3) {
                    double s = log(r + 2.0) / (1.0 + r);
                    if (s > 0.5) sum += s;
                }
            }
    }
    return sum;
}
/* One name for two variables. */
static double hidden(int n, const double *x, double cut)
{
    double sum = 0.0;
    {
        /* s2s: iterations that the condition picks, as a list */
        int s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        int j = 0;
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
                    double d = x[j] - 0.5, r = d * d + 0.25 * d;
                    s2s_picked[s2s_l] = (r < cut);
                }
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                    s2s_listed += s2s_picked[s2s_l];
                }
                s2s_seen += s2s_some;
                j += s2s_some;
            }
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const int j = s2s_j_list[s2s_h];
                {
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
    }
    return sum;
}
/* Two lists in one loop, which both remember beyond their loops whether they were of use. */
static double twice(int n, int m, const double *x, double cut)
{
    double sum = 0.0;
    int s2s_wait0 = 0;
    for (int k = 0; k < m; k++) {
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s_j_list[256];
            long long s2s_picked[64];
            int s2s_listed, s2s_few = 1;
            unsigned long long s2s_seen;
            if (s2s_wait0 > 0) {
                s2s_few = 0;
                if (!--s2s_wait0)
                    s2s_wait0 = -1;
            }
            int j = 0;
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
                        double d = x[k] - x[j], r = d * d + 0.5 * d;
                        s2s_picked[s2s_l] = (r < cut);
                    }
                    for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                        s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                        s2s_listed += s2s_picked[s2s_l];
                    }
                    s2s_seen += s2s_some;
                    j += s2s_some;
                }
                for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                    const int j = s2s_j_list[s2s_h];
                    {
                        double d = x[k] - x[j], r = d * d + 0.5 * d;
                        if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
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
                    double d = x[k] - x[j], r = d * d + 0.5 * d;
                    if (r < cut) sum += 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
                }
        }
        sum *= 0.5;
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s_j_list[256];
            long long s2s_picked[64];
            int s2s_listed, s2s_few = 1;
            unsigned long long s2s_seen;
            int s2s_wait1 = 0;
            int j = 0;
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
                        double d = x[k] - x[j], r = d * d + 0.25 * d;
                        s2s_picked[s2s_l] = (r < cut);
                    }
                    for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                        s2s_j_list[s2s_listed] = s2s_at + s2s_l;
                        s2s_listed += s2s_picked[s2s_l];
                    }
                    s2s_seen += s2s_some;
                    j += s2s_some;
                }
                for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                    const int j = s2s_j_list[s2s_h];
                    {
                        double d = x[k] - x[j], r = d * d + 0.25 * d;
                        if (r < cut) sum -= 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
                    }
                }
                if (s2s_seen >= 16 && s2s_listed <= s2s_seen - s2s_seen / 8) {
                    s2s_wait1 = 0;
                } else if (--s2s_wait1 <= -2) {
                    s2s_few = 0;
                    s2s_wait1 = 63;
                }
            }
            for (; j < n; j++)
                {
                    double d = x[k] - x[j], r = d * d + 0.25 * d;
                    if (r < cut) sum -= 1.0 / (1.0 + r) * sqrt(r + 2.0) * exp(-r);
                }
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
