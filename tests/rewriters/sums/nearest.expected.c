#include <stdio.h>
#include <stdlib.h>
typedef struct {
    float weight, *at;
    long owner;
    double cost;
} Point;
static float square(const float *p, const float *q, int least)
{
    int i;
    float sum = 0.0f;
    for (i = 0; i < least; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    return (sum);
}
static double apart(Point a, Point b, int n)
{
    double sum = 0, part;
    for (int i = 0; i < n; i++) {
        part = a.at[i] - b.at[i];
        sum = sum + part * part;
    }
    return sum;
}
static int nearest(const float *p, float **rows, int count, int n)
{
    int place = -1;
    float least = 1e30f;
    {
        /* s2s: sums of 4 iterations of 'i' at once */
        int s2s_at = 4;
        float s2s_sums[4];
        for (int i = 0; i < count; i++) {
            if (s2s_at >= 4 && (unsigned long)(count) - (unsigned long)i > 3 && (long)((n)) - (long)(0) >= 8) {
                const int s2s_at1_i = i + 1;
                const int s2s_at2_i = i + 2;
                const int s2s_at3_i = i + 3;
                const int s2s_at0_i = i;
                const float * s2s_all_p = p;
                const float * s2s_row0_q = rows[s2s_at0_i];
                int s2s_all_least = n;
                int s2s_all_i;
                float s2s_row0_sum = 0.0f;
                const float * s2s_row1_q = rows[s2s_at1_i];
                float s2s_row1_sum = 0.0f;
                const float * s2s_row2_q = rows[s2s_at2_i];
                float s2s_row2_sum = 0.0f;
                const float * s2s_row3_q = rows[s2s_at3_i];
                float s2s_row3_sum = 0.0f;
                for (s2s_all_i = 0; s2s_all_i < s2s_all_least; s2s_all_i++) {
                    s2s_row0_sum += (s2s_all_p[s2s_all_i] - s2s_row0_q[s2s_all_i])
                                    * (s2s_all_p[s2s_all_i] - s2s_row0_q[s2s_all_i]);
                    s2s_row1_sum += (s2s_all_p[s2s_all_i] - s2s_row1_q[s2s_all_i])
                                    * (s2s_all_p[s2s_all_i] - s2s_row1_q[s2s_all_i]);
                    s2s_row2_sum += (s2s_all_p[s2s_all_i] - s2s_row2_q[s2s_all_i])
                                    * (s2s_all_p[s2s_all_i] - s2s_row2_q[s2s_all_i]);
                    s2s_row3_sum += (s2s_all_p[s2s_all_i] - s2s_row3_q[s2s_all_i])
                                    * (s2s_all_p[s2s_all_i] - s2s_row3_q[s2s_all_i]);
                }
                s2s_sums[0] = (s2s_row0_sum);
                s2s_sums[1] = (s2s_row1_sum);
                s2s_sums[2] = (s2s_row2_sum);
                s2s_sums[3] = (s2s_row3_sum);
                s2s_at = 0;
            }
            if (s2s_at < 4) {
                const int s2s_lane = s2s_at++;
                {
        float d = s2s_sums[s2s_lane];
        if (d < least) {
            least = d;
            place = i;
        }
    }
            } else {
                {
        float d = square(p, rows[i], n);
        if (d < least) {
            least = d;
            place = i;
        }
    }
            }
        }
    }
    return place;
}
/* Lower bits of the sum show any other grouping. */
static double gain(Point *points, char *moves, double *lower, int count, int n, int x)
{
    double cost = 0;
{
        /* s2s: sums of 4 iterations of 'i' at once */
        int s2s_next = 0;
        int s2s_at = 4;
        double s2s_sums[4];
#pragma omp parallel for reduction(+ : cost) schedule(static) \
        firstprivate(s2s_at, s2s_next) private(s2s_sums)
        for (int i = 0; i < count; i++) {
            if (s2s_at > 0 && i != s2s_next) s2s_at = 4;
            if (s2s_at >= 4 && (unsigned long)(count) - (unsigned long)i > 3 && (long)((n)) - (long)(0) >= 8) {
                const int s2s_at1_i = i + 1;
                const int s2s_at2_i = i + 2;
                const int s2s_at3_i = i + 3;
                const int s2s_at0_i = i;
                Point s2s_row0_a = points[s2s_at0_i];
                Point s2s_all_b = points[x];
                int s2s_all_n = n;
                double s2s_row0_sum = 0, s2s_row0_part;
                Point s2s_row1_a = points[s2s_at1_i];
                double s2s_row1_sum = 0, s2s_row1_part;
                Point s2s_row2_a = points[s2s_at2_i];
                double s2s_row2_sum = 0, s2s_row2_part;
                Point s2s_row3_a = points[s2s_at3_i];
                double s2s_row3_sum = 0, s2s_row3_part;
                for (int s2s_all_i = 0; s2s_all_i < s2s_all_n; s2s_all_i++) {
                    s2s_row0_part = s2s_row0_a.at[s2s_all_i] - s2s_all_b.at[s2s_all_i];
                    s2s_row0_sum = s2s_row0_sum + s2s_row0_part * s2s_row0_part;
                    s2s_row1_part = s2s_row1_a.at[s2s_all_i] - s2s_all_b.at[s2s_all_i];
                    s2s_row1_sum = s2s_row1_sum + s2s_row1_part * s2s_row1_part;
                    s2s_row2_part = s2s_row2_a.at[s2s_all_i] - s2s_all_b.at[s2s_all_i];
                    s2s_row2_sum = s2s_row2_sum + s2s_row2_part * s2s_row2_part;
                    s2s_row3_part = s2s_row3_a.at[s2s_all_i] - s2s_all_b.at[s2s_all_i];
                    s2s_row3_sum = s2s_row3_sum + s2s_row3_part * s2s_row3_part;
                }
                s2s_sums[0] = s2s_row0_sum;
                s2s_sums[1] = s2s_row1_sum;
                s2s_sums[2] = s2s_row2_sum;
                s2s_sums[3] = s2s_row3_sum;
                s2s_at = 0;
            }
            if (s2s_at < 4) {
                s2s_next = i + 1;
                const int s2s_lane = s2s_at++;
                {
        double d = s2s_sums[s2s_lane] * points[i].weight;
        if (d < points[i].cost)
            cost += d - points[i].cost;
        else
            lower[i] += points[i].cost - d;
    }
            } else {
                {
        double d = apart(points[i], points[x], n) * points[i].weight;
        if (d < points[i].cost)
            cost += d - points[i].cost;
        else
            lower[i] += points[i].cost - d;
    }
            }
        }
    }
    return cost;
}
/* Rows of many lengths: together as far as the shortest one goes. */
static double rows_of_lengths(const int *first, const int *column, const double *a, const double *x, float *y, int n)
{
    double all = 0, sum = 0;
    int j, k = 0;
    {
        /* s2s: sums of 4 iterations of 'j' at once */
        int s2s_at = 4;
        int s2s_pause = 0;
        double s2s_kept_sum[4];
        int s2s_kept_k[4];
        for (j = 0; j < n; j++) {
            if (s2s_at >= 4 && (unsigned long)(n) - (unsigned long)j > 3 && s2s_pause-- <= 0) {
                const int s2s_at1_j = j + 1;
                const int s2s_at2_j = j + 2;
                const int s2s_at3_j = j + 3;
                const int s2s_at0_j = j;
                double s2s_row0_sum;
                int s2s_row0_k;
                s2s_row0_sum = 0.5 * s2s_at0_j;
                double s2s_row1_sum;
                int s2s_row1_k;
                s2s_row1_sum = 0.5 * s2s_at1_j;
                double s2s_row2_sum;
                int s2s_row2_k;
                s2s_row2_sum = 0.5 * s2s_at2_j;
                double s2s_row3_sum;
                int s2s_row3_k;
                s2s_row3_sum = 0.5 * s2s_at3_j;
                s2s_row0_k = first[s2s_at0_j];
                const unsigned long s2s_length_0 = s2s_row0_k < first[s2s_at0_j + 1]
                                                   ? (unsigned long)(first[s2s_at0_j + 1])
                                                     - (unsigned long)s2s_row0_k : 0;
                s2s_row1_k = first[s2s_at1_j];
                const unsigned long s2s_length_1 = s2s_row1_k < first[s2s_at1_j + 1]
                                                   ? (unsigned long)(first[s2s_at1_j + 1])
                                                     - (unsigned long)s2s_row1_k : 0;
                s2s_row2_k = first[s2s_at2_j];
                const unsigned long s2s_length_2 = s2s_row2_k < first[s2s_at2_j + 1]
                                                   ? (unsigned long)(first[s2s_at2_j + 1])
                                                     - (unsigned long)s2s_row2_k : 0;
                s2s_row3_k = first[s2s_at3_j];
                const unsigned long s2s_length_3 = s2s_row3_k < first[s2s_at3_j + 1]
                                                   ? (unsigned long)(first[s2s_at3_j + 1])
                                                     - (unsigned long)s2s_row3_k : 0;
                unsigned long s2s_least = s2s_length_0;
                if (s2s_length_1 < s2s_least) s2s_least = s2s_length_1;
                if (s2s_length_2 < s2s_least) s2s_least = s2s_length_2;
                if (s2s_length_3 < s2s_least) s2s_least = s2s_length_3;
                if (s2s_least < 8) {
                    s2s_pause = 32;
                } else {
                    for (; s2s_least > 0; s2s_least--) {
                        s2s_row0_sum = s2s_row0_sum + a[s2s_row0_k] * x[column[s2s_row0_k]];
                        s2s_row0_k++;
                        s2s_row1_sum = s2s_row1_sum + a[s2s_row1_k] * x[column[s2s_row1_k]];
                        s2s_row1_k++;
                        s2s_row2_sum = s2s_row2_sum + a[s2s_row2_k] * x[column[s2s_row2_k]];
                        s2s_row2_k++;
                        s2s_row3_sum = s2s_row3_sum + a[s2s_row3_k] * x[column[s2s_row3_k]];
                        s2s_row3_k++;
                    }
                    for (; s2s_row0_k < first[s2s_at0_j + 1]; s2s_row0_k++) {
                        s2s_row0_sum = s2s_row0_sum + a[s2s_row0_k] * x[column[s2s_row0_k]];
                    }
                    for (; s2s_row1_k < first[s2s_at1_j + 1]; s2s_row1_k++) {
                        s2s_row1_sum = s2s_row1_sum + a[s2s_row1_k] * x[column[s2s_row1_k]];
                    }
                    for (; s2s_row2_k < first[s2s_at2_j + 1]; s2s_row2_k++) {
                        s2s_row2_sum = s2s_row2_sum + a[s2s_row2_k] * x[column[s2s_row2_k]];
                    }
                    for (; s2s_row3_k < first[s2s_at3_j + 1]; s2s_row3_k++) {
                        s2s_row3_sum = s2s_row3_sum + a[s2s_row3_k] * x[column[s2s_row3_k]];
                    }
                    s2s_kept_sum[0] = s2s_row0_sum;
                    s2s_kept_k[0] = s2s_row0_k;
                    s2s_kept_sum[1] = s2s_row1_sum;
                    s2s_kept_k[1] = s2s_row1_k;
                    s2s_kept_sum[2] = s2s_row2_sum;
                    s2s_kept_k[2] = s2s_row2_k;
                    s2s_kept_sum[3] = s2s_row3_sum;
                    s2s_kept_k[3] = s2s_row3_k;
                    s2s_at = 0;
                }
            }
            if (s2s_at < 4) {
                const int s2s_lane = s2s_at++;
                sum = s2s_kept_sum[s2s_lane];
                k = s2s_kept_k[s2s_lane];
                if (sum > 1.0) all += sum;
        y[j] = (float)sum + k;
            } else {
                {
        sum = 0.5 * j;
        for (k = first[j]; k < first[j + 1]; k++) sum = sum + a[k] * x[column[k]];
        if (sum > 1.0) all += sum;
        y[j] = (float)sum + k;
    }
            }
        }
    }
    return all + sum + k;
}
static void in_region(const int *first, const int *column, const double *a, float *y, int n)
{
#pragma omp parallel
    {
        int j;
        float sum;
{
            /* s2s: sums of 4 iterations of 'j' at once */
            int s2s_next = 0;
            int s2s_at = 4;
            int s2s_pause = 0;
            float s2s_kept_sum[4];
#pragma omp for nowait
            for (j = n - 1; j >= 0; j--) {
                if (s2s_at > 0 && j != s2s_next) s2s_at = 4;
                if (s2s_at >= 4 && (unsigned long)j - (unsigned long)(0) >= 3 && s2s_pause-- <= 0) {
                    const int s2s_at1_j = j - 1;
                    const int s2s_at2_j = j - 2;
                    const int s2s_at3_j = j - 3;
                    const int s2s_at0_j = j;
                    float s2s_row0_sum;
                    s2s_row0_sum = 1;
                    float s2s_row1_sum;
                    s2s_row1_sum = 1;
                    float s2s_row2_sum;
                    s2s_row2_sum = 1;
                    float s2s_row3_sum;
                    s2s_row3_sum = 1;
                    int s2s_row0_k = first[s2s_at0_j];
                    const unsigned long s2s_length_0 = s2s_row0_k <= first[s2s_at0_j + 1] - 1
                                                       ? (unsigned long)(first[s2s_at0_j + 1] - 1)
                                                         - (unsigned long)s2s_row0_k + 1 : 0;
                    int s2s_row1_k = first[s2s_at1_j];
                    const unsigned long s2s_length_1 = s2s_row1_k <= first[s2s_at1_j + 1] - 1
                                                       ? (unsigned long)(first[s2s_at1_j + 1] - 1)
                                                         - (unsigned long)s2s_row1_k + 1 : 0;
                    int s2s_row2_k = first[s2s_at2_j];
                    const unsigned long s2s_length_2 = s2s_row2_k <= first[s2s_at2_j + 1] - 1
                                                       ? (unsigned long)(first[s2s_at2_j + 1] - 1)
                                                         - (unsigned long)s2s_row2_k + 1 : 0;
                    int s2s_row3_k = first[s2s_at3_j];
                    const unsigned long s2s_length_3 = s2s_row3_k <= first[s2s_at3_j + 1] - 1
                                                       ? (unsigned long)(first[s2s_at3_j + 1] - 1)
                                                         - (unsigned long)s2s_row3_k + 1 : 0;
                    unsigned long s2s_least = s2s_length_0;
                    if (s2s_length_1 < s2s_least) s2s_least = s2s_length_1;
                    if (s2s_length_2 < s2s_least) s2s_least = s2s_length_2;
                    if (s2s_length_3 < s2s_least) s2s_least = s2s_length_3;
                    if (s2s_least < 8) {
                        s2s_pause = 32;
                    } else {
                        for (; s2s_least > 0; s2s_least--) {
                            {
                                const float s2s_row0_t = (float)a[s2s_row0_k] * 0.5f;
                                s2s_row0_sum = s2s_row0_sum * 0.75f
                                               + s2s_row0_t * column[s2s_row0_k];
                                s2s_row0_k++;
                            }
                            {
                                const float s2s_row1_t = (float)a[s2s_row1_k] * 0.5f;
                                s2s_row1_sum = s2s_row1_sum * 0.75f
                                               + s2s_row1_t * column[s2s_row1_k];
                                s2s_row1_k++;
                            }
                            {
                                const float s2s_row2_t = (float)a[s2s_row2_k] * 0.5f;
                                s2s_row2_sum = s2s_row2_sum * 0.75f
                                               + s2s_row2_t * column[s2s_row2_k];
                                s2s_row2_k++;
                            }
                            {
                                const float s2s_row3_t = (float)a[s2s_row3_k] * 0.5f;
                                s2s_row3_sum = s2s_row3_sum * 0.75f
                                               + s2s_row3_t * column[s2s_row3_k];
                                s2s_row3_k++;
                            }
                        }
                        for (; s2s_row0_k <= first[s2s_at0_j + 1] - 1; s2s_row0_k++) {
                            const float s2s_row0_t = (float)a[s2s_row0_k] * 0.5f;
                            s2s_row0_sum = s2s_row0_sum * 0.75f + s2s_row0_t * column[s2s_row0_k];
                        }
                        for (; s2s_row1_k <= first[s2s_at1_j + 1] - 1; s2s_row1_k++) {
                            const float s2s_row1_t = (float)a[s2s_row1_k] * 0.5f;
                            s2s_row1_sum = s2s_row1_sum * 0.75f + s2s_row1_t * column[s2s_row1_k];
                        }
                        for (; s2s_row2_k <= first[s2s_at2_j + 1] - 1; s2s_row2_k++) {
                            const float s2s_row2_t = (float)a[s2s_row2_k] * 0.5f;
                            s2s_row2_sum = s2s_row2_sum * 0.75f + s2s_row2_t * column[s2s_row2_k];
                        }
                        for (; s2s_row3_k <= first[s2s_at3_j + 1] - 1; s2s_row3_k++) {
                            const float s2s_row3_t = (float)a[s2s_row3_k] * 0.5f;
                            s2s_row3_sum = s2s_row3_sum * 0.75f + s2s_row3_t * column[s2s_row3_k];
                        }
                        s2s_kept_sum[0] = s2s_row0_sum;
                        s2s_kept_sum[1] = s2s_row1_sum;
                        s2s_kept_sum[2] = s2s_row2_sum;
                        s2s_kept_sum[3] = s2s_row3_sum;
                        s2s_at = 0;
                    }
                }
                if (s2s_at < 4) {
                    s2s_next = j - 1;
                    const int s2s_lane = s2s_at++;
                    sum = s2s_kept_sum[s2s_lane];
                    if (sum < 5) y[j] += sum;
                } else {
                    {
            sum = 1;
            for (int k = first[j]; k <= first[j + 1] - 1; k++) {
                const float t = (float)a[k] * 0.5f;
                sum = sum * 0.75f + t * column[k];
            }
            if (sum < 5) y[j] += sum;
        }
                }
            }
        }
    }
}
/* Polynomials at several places, by Horner's rule, with a step of two. */
static float horner(const float *c, const float *x, int terms, int n)
{
    float all = 0;
    {
        /* s2s: sums of 4 iterations of 'i' at once */
        int s2s_at = 4;
        float s2s_kept_v[4];
        for (long i = 0; i < n; i += 2) {
            if (s2s_at >= 4 && (unsigned long)(n) - (unsigned long)i > 6 && (long)(terms) - (long)(0) >= 8) {
                const long s2s_at1_i = i + 1 * 2;
                const long s2s_at2_i = i + 2 * 2;
                const long s2s_at3_i = i + 3 * 2;
                const long s2s_at0_i = i;
                float s2s_row0_v = c[terms];
                int s2s_all_k;
                float s2s_row1_v = c[terms];
                float s2s_row2_v = c[terms];
                float s2s_row3_v = c[terms];
                for (s2s_all_k = 0; s2s_all_k < terms; s2s_all_k++) {
                    s2s_row0_v = s2s_row0_v * x[s2s_at0_i] + c[s2s_all_k];
                    s2s_row1_v = s2s_row1_v * x[s2s_at1_i] + c[s2s_all_k];
                    s2s_row2_v = s2s_row2_v * x[s2s_at2_i] + c[s2s_all_k];
                    s2s_row3_v = s2s_row3_v * x[s2s_at3_i] + c[s2s_all_k];
                }
                s2s_kept_v[0] = s2s_row0_v;
                s2s_kept_v[1] = s2s_row1_v;
                s2s_kept_v[2] = s2s_row2_v;
                s2s_kept_v[3] = s2s_row3_v;
                s2s_at = 0;
            }
            if (s2s_at < 4) {
                const int s2s_lane = s2s_at++;
                float v = s2s_kept_v[s2s_lane];
                all = all * 0.5f + v;
            } else {
                {
        float v = c[terms];
        int k;
        for (k = 0; k < terms; k++) v = v * x[i] + c[k];
        all = all * 0.5f + v;
    }
            }
        }
    }
    return all;
}
/* Triangles: what the inner loop begins with and ends with moves. */
static double triangle(const double *l, const double *b, double *restrict out, int n)
{
    double last = 0;
    {
        /* s2s: sums of 4 iterations of 'i' at once */
        int s2s_at = 4;
        int s2s_pause = 0;
        double s2s_kept_s[4];
        for (int i = 0; i < n; i++) {
            if (s2s_at >= 4 && (unsigned long)(n) - (unsigned long)i > 3 && s2s_pause-- <= 0) {
                const int s2s_at1_i = i + 1;
                const int s2s_at2_i = i + 2;
                const int s2s_at3_i = i + 3;
                const int s2s_at0_i = i;
                double s2s_row0_s = b[s2s_at0_i];
                double s2s_row1_s = b[s2s_at1_i];
                double s2s_row2_s = b[s2s_at2_i];
                double s2s_row3_s = b[s2s_at3_i];
                int s2s_row0_k = s2s_at0_i / 2;
                const unsigned long s2s_length_0 = s2s_row0_k < s2s_at0_i
                                                   ? (unsigned long)(s2s_at0_i)
                                                     - (unsigned long)s2s_row0_k : 0;
                int s2s_row1_k = s2s_at1_i / 2;
                const unsigned long s2s_length_1 = s2s_row1_k < s2s_at1_i
                                                   ? (unsigned long)(s2s_at1_i)
                                                     - (unsigned long)s2s_row1_k : 0;
                int s2s_row2_k = s2s_at2_i / 2;
                const unsigned long s2s_length_2 = s2s_row2_k < s2s_at2_i
                                                   ? (unsigned long)(s2s_at2_i)
                                                     - (unsigned long)s2s_row2_k : 0;
                int s2s_row3_k = s2s_at3_i / 2;
                const unsigned long s2s_length_3 = s2s_row3_k < s2s_at3_i
                                                   ? (unsigned long)(s2s_at3_i)
                                                     - (unsigned long)s2s_row3_k : 0;
                unsigned long s2s_least = s2s_length_0;
                if (s2s_length_1 < s2s_least) s2s_least = s2s_length_1;
                if (s2s_length_2 < s2s_least) s2s_least = s2s_length_2;
                if (s2s_length_3 < s2s_least) s2s_least = s2s_length_3;
                if (s2s_least < 8) {
                    s2s_pause = 32;
                } else {
                    for (; s2s_least > 0; s2s_least--) {
                        s2s_row0_s -= l[s2s_at0_i * 8 + s2s_row0_k] * b[s2s_row0_k];
                        s2s_row0_k++;
                        s2s_row1_s -= l[s2s_at1_i * 8 + s2s_row1_k] * b[s2s_row1_k];
                        s2s_row1_k++;
                        s2s_row2_s -= l[s2s_at2_i * 8 + s2s_row2_k] * b[s2s_row2_k];
                        s2s_row2_k++;
                        s2s_row3_s -= l[s2s_at3_i * 8 + s2s_row3_k] * b[s2s_row3_k];
                        s2s_row3_k++;
                    }
                    for (; s2s_row0_k < s2s_at0_i; s2s_row0_k++) {
                        s2s_row0_s -= l[s2s_at0_i * 8 + s2s_row0_k] * b[s2s_row0_k];
                    }
                    for (; s2s_row1_k < s2s_at1_i; s2s_row1_k++) {
                        s2s_row1_s -= l[s2s_at1_i * 8 + s2s_row1_k] * b[s2s_row1_k];
                    }
                    for (; s2s_row2_k < s2s_at2_i; s2s_row2_k++) {
                        s2s_row2_s -= l[s2s_at2_i * 8 + s2s_row2_k] * b[s2s_row2_k];
                    }
                    for (; s2s_row3_k < s2s_at3_i; s2s_row3_k++) {
                        s2s_row3_s -= l[s2s_at3_i * 8 + s2s_row3_k] * b[s2s_row3_k];
                    }
                    s2s_kept_s[0] = s2s_row0_s;
                    s2s_kept_s[1] = s2s_row1_s;
                    s2s_kept_s[2] = s2s_row2_s;
                    s2s_kept_s[3] = s2s_row3_s;
                    s2s_at = 0;
                }
            }
            if (s2s_at < 4) {
                const int s2s_lane = s2s_at++;
                double s = s2s_kept_s[s2s_lane];
                last = s > last ? s : last * 0.5;
            } else {
                {
        double s = b[i];
        for (int k = i / 2; k < i; k++) s -= l[i * 8 + k] * b[k];
        last = s > last ? s : last * 0.5;
    }
            }
        }
    }
    out[0] = last;
    return last;
}
/* The sum is read when the loop has ended. */
static double kept(const double *a, int n, int m)
{
    double s = -1, most = 0;
    {
        /* s2s: sums of 4 iterations of 'i' at once */
        int s2s_at = 4;
        double s2s_kept_s[4];
        for (int i = 0; i < n; i++) {
            if (s2s_at >= 4 && (unsigned long)(n) - (unsigned long)i > 3 && (long)(m) - (long)(0) >= 8) {
                const int s2s_at1_i = i + 1;
                const int s2s_at2_i = i + 2;
                const int s2s_at3_i = i + 3;
                const int s2s_at0_i = i;
                double s2s_row0_s;
                s2s_row0_s = 0;
                double s2s_row1_s;
                s2s_row1_s = 0;
                double s2s_row2_s;
                s2s_row2_s = 0;
                double s2s_row3_s;
                s2s_row3_s = 0;
                for (int s2s_all_k = 0; s2s_all_k < m; s2s_all_k++) {
                    s2s_row0_s += a[s2s_at0_i + s2s_all_k] * a[s2s_all_k];
                    s2s_row1_s += a[s2s_at1_i + s2s_all_k] * a[s2s_all_k];
                    s2s_row2_s += a[s2s_at2_i + s2s_all_k] * a[s2s_all_k];
                    s2s_row3_s += a[s2s_at3_i + s2s_all_k] * a[s2s_all_k];
                }
                s2s_kept_s[0] = s2s_row0_s;
                s2s_kept_s[1] = s2s_row1_s;
                s2s_kept_s[2] = s2s_row2_s;
                s2s_kept_s[3] = s2s_row3_s;
                s2s_at = 0;
            }
            if (s2s_at < 4) {
                const int s2s_lane = s2s_at++;
                s = s2s_kept_s[s2s_lane];
                if (most < s) most = s;
        s = s * 0.25;
            } else {
                {
        s = 0;
        for (int k = 0; k < m; k++) s += a[i + k] * a[k];
        if (most < s) most = s;
        s = s * 0.25;
    }
            }
        }
    }
    return s + most;
}
int main(void)
{
    enum { N = 61, M = 40 };
    static float memory[N * M], *rows[N], x[N], z[N];
    static double a[4000], b[N], y[N], l[N * 8 + N];
    static int first[N + 1], column[4000];
    static Point points[N];
    static char moves[N];
    unsigned seed = 1;
    for (int i = 0; i < N * M; i++) memory[i] = (float)((seed = seed * 1103515245u + 12345u) >> 8 & 1023) / 777;
    for (int i = 0; i < 4000; i++) a[i] = memory[i % (N * M)] / 3, column[i] = i * 31 % N;
    for (int i = 0; i < N * 8 + N; i++) l[i] = a[i] * 0.1;
    for (int i = 0; i < N; i++) {
        rows[i] = memory + M * (i * 17 % N);
        points[i].at = rows[i];
        points[i].weight = 1 + i % 3;
        points[i].cost = i;
        b[i] = a[i], x[i] = memory[i];
    }
    static const int counts[] = {0, 1, 3, 4, 5, 8, 30, N};
    for (int c = 0; c < 8; c++)
        for (int m = 0; m <= M; m += m < 10 ? 3 : 10) {
            int n = counts[c];
            first[0] = 0;
            for (int j = 0; j < N; j++) first[j + 1] = first[j] + (m > 20 ? m + j * j % 7 : j * m % 29);
            printf("%d %d %d", n, m, nearest(rows[5], rows, n, m));
            if (n == 0 || n == N) printf(" %.17g", gain(points, moves, y, n ? 1 : 0, m, 2));
            gain(points, moves, y, n, m, 3);
            printf(" %.17g", rows_of_lengths(first, column, a, b, z, n));
            in_region(first, column, a, z, n);
            printf(" %.9g %.17g %.17g", horner(memory, x, m, n), triangle(l, b, y, n), kept(a, n, m));
            for (int j = 0; j < N; j++) printf(" %a %a", y[j], z[j]);
            printf("\n");
        }
    return 0;
}
