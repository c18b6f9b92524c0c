#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define ROOM 24
typedef double vec[3];
typedef struct {
    int number;
    vec *place, *push;
    double *energy;
} Bodies;
typedef struct {
    int count, *filled, **next;
} Cells;
typedef struct {
    Cells *cells;
    Bodies *bodies;
    double total;
} World;
/* Particles in cells, members behind pointers, threads over cells. */
static double push(World *w, double reach)
{
    double cut = reach * reach, sum = 0.0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int c = 0; c < w->cells->count; c++) {
        int mine = w->cells->filled[c];
        int s2s_wait0 = 0;
        for (int k = 0; k < 3; k++) {
            int d = w->cells->next[c][k];
            int its = w->cells->filled[d];
            {
                /* s2s: iterations that the condition picks, as a list */
                int s2s_i_list[256];
                int s2s_j_list[256];
                long long s2s_picked[64];
                int s2s_listed, s2s_few = 1, s2s_rounds = 0;
                unsigned long long s2s_seen;
                if (s2s_wait0 > 0) {
                    s2s_few = 0;
                    if (!--s2s_wait0)
                        s2s_wait0 = -1;
                }
                int i = ROOM * c;
                const int s2s_first = i;
                int s2s_inside = 0;
                int j = 0;
                while (s2s_few && (i < (c * ROOM + mine))) {
                    s2s_listed = 0;
                    s2s_seen = 0;
                    while (s2s_listed < 192 && (i < (c * ROOM + mine))) {
                        if (!s2s_inside) {
                            j = d * ROOM;
                            s2s_inside = 1;
                        }
                        if (!(j < (d * ROOM + its))) {
                            i++;
                            s2s_inside = 0;
                            continue;
                        }
                        const unsigned long s2s_left = (unsigned long)((d * ROOM + its))
                                                       - (unsigned long)j;
                        const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                        const int s2s_at = j;
                        for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                            const int j = s2s_at + s2s_l;
                            vec way;
                            double far = 0.0;
                            for (int m = 0; m < 3; m++) {
                                way[m] = w->bodies->place[i][m] - w->bodies->place[j][m];
                                far += way[m] * way[m];
                            }
                            s2s_picked[s2s_l] = (far <= cut) & (far > 0.0);
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
                        const long s2s_i_high = (long)((c * ROOM + mine)) - 1;
                        const long s2s_j_low = d * ROOM;
                        const long s2s_j_high = (long)((d * ROOM + its)) - 1;
                        const char *const s2s_from0 = (const char *)&w->bodies->energy[s2s_i_low];
                        const char *const s2s_to0 =
                                (const char *)(&w->bodies->energy[s2s_i_high] + 1);
                        const char *const s2s_from1 = (const char *)&w->bodies->place[s2s_i_low][0];
                        const char *const s2s_to1 =
                                (const char *)(&w->bodies->place[s2s_i_high][2] + 1);
                        const char *const s2s_from2 = (const char *)&w->bodies->place[s2s_j_low][0];
                        const char *const s2s_to2 =
                                (const char *)(&w->bodies->place[s2s_j_high][2] + 1);
                        const char *const s2s_from3 = (const char *)&w->bodies->push[s2s_i_low][0];
                        const char *const s2s_to3 =
                                (const char *)(&w->bodies->push[s2s_i_high][2] + 1);
                        int s2s_apart = 1;
                        s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                        s2s_apart &= s2s_to3 <= s2s_from1 || s2s_to1 <= s2s_from3;
                        s2s_apart &= s2s_to3 <= s2s_from2 || s2s_to2 <= s2s_from3;
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
                            vec way;
                            double far = 0.0;
                            for (int m = 0; m < 3; m++) {
                                way[m] = w->bodies->place[i][m] - w->bodies->place[j][m];
                                far += way[m] * way[m];
                            }
                            if (far <= cut && far > 0.0) {
                                // The nearer the stronger.
                                far = 1.0 / far;
                                double six = far * far * far, pull = six * (six - 0.5) * 4.0;
                                w->bodies->energy[i] += 0.5 * pull;
                                sum += 0.5 * pull;
                                for (int m = 0; m < 3; m++) w->bodies->push[i][m] -= way[m] * pull * (2.0 * six - 1.0);
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
                for (; i < (c * ROOM + mine); i++) {
                    if (!s2s_inside) {
                        j = d * ROOM;
                    }
                    s2s_inside = 0;
                    for (; j < (d * ROOM + its); j++)
                        {
                            vec way;
                            double far = 0.0;
                            for (int m = 0; m < 3; m++) {
                                way[m] = w->bodies->place[i][m] - w->bodies->place[j][m];
                                far += way[m] * way[m];
                            }
                            if (far <= cut && far > 0.0) {
                                // The nearer the stronger.
                                far = 1.0 / far;
                                double six = far * far * far, pull = six * (six - 0.5) * 4.0;
                                w->bodies->energy[i] += 0.5 * pull;
                                sum += 0.5 * pull;
                                for (int m = 0; m < 3; m++) w->bodies->push[i][m] -= way[m] * pull * (2.0 * six - 1.0);
                            }
                        }
                }
            }
        }
    }
    return sum;
}
static void between(const double *table, double at, double *value, double *slope)
{
    int k = (int)floor(at);
    k = k < 0 ? 0 : k > 6 ? 6 : k;
    *value = table[k] + (at - k) * (table[k + 1] - table[k]);
    *slope = table[k + 1] - table[k];
}
/* A call that writes to variables of the iteration; a term of the condition that reads memory. */
static double looked_up(World *w, const double *table, const int *kind, double cut)
{
    double sum = 0.0;
    int s2s_wait0 = 0;
    for (int c = 0; c < w->cells->count; c++) {
        for (int k = 0; k < 3; k++) {
            int d = w->cells->next[c][k];
            {
                /* s2s: iterations that the condition picks, as a list */
                int s2s_i_list[256];
                int s2s_j_list[256];
                long long s2s_picked[64];
                int s2s_listed, s2s_few = 1, s2s_rounds = 0;
                unsigned long long s2s_seen;
                if (s2s_wait0 > 0) {
                    s2s_few = 0;
                    if (!--s2s_wait0)
                        s2s_wait0 = -1;
                }
                int i = ROOM * c;
                const int s2s_first = i;
                int s2s_inside = 0;
                int j = 0;
                while (s2s_few && (i < ROOM * c + w->cells->filled[c])) {
                    s2s_listed = 0;
                    s2s_seen = 0;
                    while (s2s_listed < 192 && (i < ROOM * c + w->cells->filled[c])) {
                        if (!s2s_inside) {
                            j = ROOM * d;
                            s2s_inside = 1;
                        }
                        if (!(j < ROOM * d + w->cells->filled[d])) {
                            i++;
                            s2s_inside = 0;
                            continue;
                        }
                        const unsigned long s2s_left =
                                (unsigned long)(ROOM * d + w->cells->filled[d]) - (unsigned long)j;
                        const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                        const int s2s_at = j;
                        for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                            const int j = s2s_at + s2s_l;
                            const double x = w->bodies->place[i][0] - w->bodies->place[j][0];
                            const double y = w->bodies->place[i][1] - w->bodies->place[j][1];
                            const double z = w->bodies->place[i][2] - w->bodies->place[j][2];
                            const double far = x * x + y * y + z * z;
                            s2s_picked[s2s_l] = (far < cut);
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
                        const long s2s_i_high = (long)(ROOM * c + w->cells->filled[c]) - 1;
                        const long s2s_j_low = ROOM * d;
                        const long s2s_j_high = (long)(ROOM * d + w->cells->filled[d]) - 1;
                        const char *const s2s_from0 = (const char *)&w->total;
                        const char *const s2s_to0 = (const char *)(&w->total + 1);
                        const char *const s2s_from1 = (const char *)&w->bodies->place[s2s_i_low][0];
                        const char *const s2s_to1 =
                                (const char *)(&w->bodies->place[s2s_i_high][0] + 1);
                        const char *const s2s_from2 = (const char *)&w->bodies->place[s2s_j_low][0];
                        const char *const s2s_to2 =
                                (const char *)(&w->bodies->place[s2s_j_high][0] + 1);
                        const char *const s2s_from3 = (const char *)&w->bodies->place[s2s_i_low][1];
                        const char *const s2s_to3 =
                                (const char *)(&w->bodies->place[s2s_i_high][1] + 1);
                        const char *const s2s_from4 = (const char *)&w->bodies->place[s2s_j_low][1];
                        const char *const s2s_to4 =
                                (const char *)(&w->bodies->place[s2s_j_high][1] + 1);
                        const char *const s2s_from5 = (const char *)&w->bodies->place[s2s_i_low][2];
                        const char *const s2s_to5 =
                                (const char *)(&w->bodies->place[s2s_i_high][2] + 1);
                        const char *const s2s_from6 = (const char *)&w->bodies->place[s2s_j_low][2];
                        const char *const s2s_to6 =
                                (const char *)(&w->bodies->place[s2s_j_high][2] + 1);
                        int s2s_apart = 1;
                        s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from3 || s2s_to3 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from4 || s2s_to4 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from5 || s2s_to5 <= s2s_from0;
                        s2s_apart &= s2s_to0 <= s2s_from6 || s2s_to6 <= s2s_from0;
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
                            const double x = w->bodies->place[i][0] - w->bodies->place[j][0];
                            const double y = w->bodies->place[i][1] - w->bodies->place[j][1];
                            const double z = w->bodies->place[i][2] - w->bodies->place[j][2];
                            const double far = x * x + y * y + z * z;
                            if (far < cut && kind[j] != 1) {
                                double value, slope;
                                between(table, sqrt(far) * 4.0, &value, &slope);
                                w->total += value * 0.25 / (1.0 + far);
                                sum += slope * sqrt(far + 1.0);
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
                for (; i < ROOM * c + w->cells->filled[c]; i++) {
                    if (!s2s_inside) {
                        j = ROOM * d;
                    }
                    s2s_inside = 0;
                    for (; j < ROOM * d + w->cells->filled[d]; ++j)
                        {
                            const double x = w->bodies->place[i][0] - w->bodies->place[j][0];
                            const double y = w->bodies->place[i][1] - w->bodies->place[j][1];
                            const double z = w->bodies->place[i][2] - w->bodies->place[j][2];
                            const double far = x * x + y * y + z * z;
                            if (far < cut && kind[j] != 1) {
                                double value, slope;
                                between(table, sqrt(far) * 4.0, &value, &slope);
                                w->total += value * 0.25 / (1.0 + far);
                                sum += slope * sqrt(far + 1.0);
                            }
                        }
                }
                (void)d;
            }
        }
    }
    return sum;
}
/* Declared before the loops, skipped by continue, floats. */
static void skipped(int n, const float *x, const float *y, const float *z, float cut, float *force, float *near)
{
    float dx, dy, dz, r2, s;
    int i, j, m;
    int s2s_wait0 = 0;
    for (i = 0; i < n; i++) {
        const float xi = x[i], yi = y[i], zi = z[i];
        float fx = 0;
        near[i] = 0;
        {
            /* s2s: iterations that the condition picks, as a list */
            int s2s_j_list[256];
            int s2s_picked[64];
            int s2s_listed, s2s_few = 1, s2s_rounds = 0;
            unsigned long long s2s_seen;
            if (s2s_wait0 > 0) {
                s2s_few = 0;
                if (!--s2s_wait0)
                    s2s_wait0 = -1;
            }
            j = 0;
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
                        float dx;
                        float dy;
                        float dz;
                        float r2;
                        dx = xi - x[j];
                        dy = yi - y[j];
                        dz = zi - z[j];
                        r2 = dx * dx + dy * dy + dz * dz;
                        s2s_picked[s2s_l] = !(r2 > cut);
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
                    const char *const s2s_from0 = (const char *)&force[3 * i + 0];
                    const char *const s2s_to0 = (const char *)(&force[3 * i + 2] + 1);
                    const char *const s2s_from1 = (const char *)&x[s2s_j_low];
                    const char *const s2s_to1 = (const char *)(&x[s2s_j_high] + 1);
                    const char *const s2s_from2 = (const char *)&y[s2s_j_low];
                    const char *const s2s_to2 = (const char *)(&y[s2s_j_high] + 1);
                    const char *const s2s_from3 = (const char *)&z[s2s_j_low];
                    const char *const s2s_to3 = (const char *)(&z[s2s_j_high] + 1);
                    const char *const s2s_from4 = (const char *)&near[i];
                    const char *const s2s_to4 = (const char *)(&near[i] + 1);
                    int s2s_apart = 1;
                    s2s_apart &= s2s_to0 <= s2s_from1 || s2s_to1 <= s2s_from0;
                    s2s_apart &= s2s_to0 <= s2s_from2 || s2s_to2 <= s2s_from0;
                    s2s_apart &= s2s_to0 <= s2s_from3 || s2s_to3 <= s2s_from0;
                    s2s_apart &= s2s_to4 <= s2s_from1 || s2s_to1 <= s2s_from4;
                    s2s_apart &= s2s_to4 <= s2s_from2 || s2s_to2 <= s2s_from4;
                    s2s_apart &= s2s_to4 <= s2s_from3 || s2s_to3 <= s2s_from4;
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
                        dx = xi - x[j];
                        dy = yi - y[j];
                        dz = zi - z[j];
                        r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 > cut) continue;
                        if (i == j) continue;
                        s = 1.0f / sqrtf(r2 + 0.5f);
                        fx += dx * s * s * s;
                        for (m = 0; m < 3; m++) force[3 * i + m] += (m == 0 ? dx : m == 1 ? dy : dz) * s;
                        near[i] += s * s * (1.0f - s);
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
                    dx = xi - x[j];
                    dy = yi - y[j];
                    dz = zi - z[j];
                    r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 > cut) continue;
                    if (i == j) continue;
                    s = 1.0f / sqrtf(r2 + 0.5f);
                    fx += dx * s * s * s;
                    for (m = 0; m < 3; m++) force[3 * i + m] += (m == 0 ? dx : m == 1 ? dy : dz) * s;
                    near[i] += s * s * (1.0f - s);
                }
                (void)dx;
                (void)dy;
                (void)dz;
                (void)j;
                (void)r2;
                (void)s;
        }
        near[i] += fx;
    }
}
/* Records with other members, a wrap around of the way, counted by longs. */
struct part {
    double x, y, fx, fy;
};
static long wrapped(struct part *p, long n, double side, double cut)
{
    long hits = 0;
    {
        /* s2s: iterations that the condition picks, as a list */
        long s2s_i_list[256];
        long s2s_j_list[256];
        long long s2s_picked[64];
        int s2s_listed, s2s_few = 1;
        unsigned long long s2s_seen;
        int s2s_wait0 = 0;
        long i = 1;
        int s2s_inside = 0;
        long j = 0;
        while (s2s_few && (i <= n)) {
            s2s_listed = 0;
            s2s_seen = 0;
            while (s2s_listed < 192 && (i <= n)) {
                if (!s2s_inside) {
                    j = 1;
                    s2s_inside = 1;
                }
                if (!(j <= n)) {
                    i++;
                    s2s_inside = 0;
                    continue;
                }
                const unsigned long s2s_left = (unsigned long)(n) - (unsigned long)j + 1;
                const int s2s_some = s2s_left < 64 ? (int)s2s_left : 64;
                const long s2s_at = j;
                for (int s2s_l = 0; s2s_l < s2s_some; s2s_l++) {
                    const long j = s2s_at + s2s_l;
                    double dx = p[i - 1].x - p[j - 1].x, dy = p[i - 1].y - p[j - 1].y;
                    if (dx > 0.5 * side) dx -= side;
                    else if (dx < -0.5 * side) dx += side;
                    dy = dy > 0.5 * side ? dy - side : dy < -0.5 * side ? dy + side : dy;
                    const double r = dx * dx + dy * dy;
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
            for (int s2s_h = 0; s2s_h < s2s_listed; s2s_h++) {
                const long i = s2s_i_list[s2s_h];
                const long j = s2s_j_list[s2s_h];
                {
                    double dx = p[i - 1].x - p[j - 1].x, dy = p[i - 1].y - p[j - 1].y;
                    if (dx > 0.5 * side) dx -= side;
                    else if (dx < -0.5 * side) dx += side;
                    dy = dy > 0.5 * side ? dy - side : dy < -0.5 * side ? dy + side : dy;
                    const double r = dx * dx + dy * dy;
                    if (r < cut) {
                        double f = exp(-r) / (1.0 + r);
                        p[i - 1].fx += f * dx;
                        p[i - 1].fy += f * dy;
                        hits++;
                        if (hits % 7 == 3) continue;
                        hits += (long)(f * 4.0);
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
        for (; i <= n; i++) {
            if (!s2s_inside) {
                j = 1;
            }
            s2s_inside = 0;
            for (; j <= n; j++)
                {
                    double dx = p[i - 1].x - p[j - 1].x, dy = p[i - 1].y - p[j - 1].y;
                    if (dx > 0.5 * side) dx -= side;
                    else if (dx < -0.5 * side) dx += side;
                    dy = dy > 0.5 * side ? dy - side : dy < -0.5 * side ? dy + side : dy;
                    const double r = dx * dx + dy * dy;
                    if (r < cut) {
                        double f = exp(-r) / (1.0 + r);
                        p[i - 1].fx += f * dx;
                        p[i - 1].fy += f * dy;
                        hits++;
                        if (hits % 7 == 3) continue;
                        hits += (long)(f * 4.0);
                    }
                }
        }
    }
    return hits;
}
static double spread[400];
/* Whole numbers decide, too, and what is written leads anywhere in an array of its own. */
static int binned(const double *restrict at, int n, double width, int least)
{
    int found = 0;
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
                    double u = at[j] * 1.5 - 0.25, v = u * u * 2.0 - u;
                    int w = (int)(v * 3.0) & 7;
                    s2s_picked[s2s_l] = (v < width) & (w >= least);
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
                    double u = at[j] * 1.5 - 0.25, v = u * u * 2.0 - u;
                    int w = (int)(v * 3.0) & 7;
                    if (v < width && w >= least && 1 << w > 2) {
                        double s = sqrt(v + 2.0), t = s / (1.0 + v);
                        spread[(int)(s * 16.0) % 400] += t * t + log(1.0 + s);
                        found += w;
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
                double u = at[j] * 1.5 - 0.25, v = u * u * 2.0 - u;
                int w = (int)(v * 3.0) & 7;
                if (v < width && w >= least && 1 << w > 2) {
                    double s = sqrt(v + 2.0), t = s / (1.0 + v);
                    spread[(int)(s * 16.0) % 400] += t * t + log(1.0 + s);
                    found += w;
                }
            }
    }
    return found;
}
static unsigned state = 5;
static double next(void)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}
static void report(const char *name, const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s = s * 0.75 + v[i];
    printf("%s %a\n", name, s);
}
int main(void)
{
    for (int run = 0; run < 4; run++) {
        int count = 1 + 3 * run, filled[10], *next_[10], ids[30], kind[10 * ROOM];
        static double energy[10 * ROOM], table[8];
        static vec place[10 * ROOM], force[10 * ROOM];
        for (int c = 0; c < count; c++) {
            next_[c] = ids + 3 * c;
            filled[c] = (c * 7 + 5 * run) % (ROOM + 1);
            for (int k = 0; k < 3; k++) ids[3 * c + k] = (c + k) % count;
        }
        for (int i = 0; i < 10 * ROOM; i++) {
            energy[i] = 0;
            kind[i] = i % 3;
            for (int m = 0; m < 3; m++) place[i][m] = next(), force[i][m] = 0;
        }
        for (int i = 0; i < 8; i++) table[i] = next();
        Bodies bodies = {10 * ROOM, place, force, energy};
        Cells cells = {count, filled, next_};
        World w = {&cells, &bodies, 0.0};
        double reach[] = {0.4, 0.0, 5.0, 0.15};
        printf("%a\n", looked_up(&w, table, kind, reach[run]));
        printf("%.6g\n", push(&w, reach[run]));
        /* What is pushed is what is read. */
        bodies.push = place;
        cells.count = 1;
        printf("%.6g\n", push(&w, 0.2));
        report("energy", energy, 10 * ROOM);
        report("force", force[0], 30 * ROOM);
        report("place", place[0], 30 * ROOM);
        static float x[900], y[300], z[300], g[900], near[300];
        int n = run == 2 ? 300 : 40 * run;
        for (int i = 0; i < 300; i++) x[i] = next(), y[i] = next(), z[i] = next();
        for (int i = 0; i < 900; i++) g[i] = 0;
        skipped(n, x, y, z, 0.05f + run, g, near);
        skipped(n / 3, x, y, z, 0.125f, x, near);
        double gs = 0;
        for (int i = 0; i < 900; i++) gs = gs * 0.5 + g[i] + x[i];
        for (int i = 0; i < n; i++) gs = gs * 0.5 + near[i];
        printf("%a\n", gs);
        static struct part p[130];
        for (int i = 0; i < 130; i++) p[i] = (struct part){next(), next(), 0, 0};
        printf("%ld\n", wrapped(p, 43 * run, 1.0, 0.03 * (run + 1)));
        for (int i = 0; i < 130; i++) gs = gs * 0.5 + p[i].fx - p[i].fy;
        printf("%a %d\n", gs, binned(place[0], 600, 0.1 + run, 2));
        report("spread", spread, 400);
    }
    return 0;
}
