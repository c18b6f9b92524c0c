#include "soundness/numbers.h"
#include <math.h>

typedef struct { double q, x, y; } source;
typedef struct { double potential, x, y, z; } vector;

/* Screened charges: the field at one place by all sources, which may be the places themselves. */
void screened(int n, double kappa, const source *at, const source *from, vector *field)
{
    double dx, dy, r2, u, e, w;
    int i, j;
#pragma omp parallel for private(j, dx, dy, r2, u, e, w)
    for (i = 0; i < 30; i++) {

        {
            /* s2s: split into 3 loops around calls */
            if (/* sizes for which this is right, and gains */
                n >= 16
                /* 'at' and 'field' do not overlap */
                && __builtin_expect(
                   ((const char *)(at + (long)i + 1) <= (const char *)(field + i)
                    || (const char *)(field + (long)i + 1) <= (const char *)(at + i))
                /* 'field' and 'from' do not overlap */
                && ((const char *)(field + (long)i + 1) <= (const char *)from
                    || (const char *)(from + n) <= (const char *)(field + i)), 1)) {
                for (long s2s_j_strip = 0; s2s_j_strip <= ((long)n + 255) / 256 - 1;
                     s2s_j_strip++) {
                    double s2s_r2_S3_2[256] __attribute__((aligned(64)));
                    double s2s_u_S4_1[256] __attribute__((aligned(64)));
                    double s2s_v_e_S5_1[256] __attribute__((aligned(64)));
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            const int s2s_j_last = (int)s2s_j_end;
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_last; j++) {
                                double s2s_dx_S1_2;
                                s2s_dx_S1_2 = at[i].x - from[j].x;
                                dy = at[i].y - from[j].y;
                                s2s_r2_S3_2[j - 256 * s2s_j_strip] =
                                        s2s_dx_S1_2 * s2s_dx_S1_2 + dy * dy + 0.01;
                                s2s_u_S4_1[j - 256 * s2s_j_strip] =
                                        -kappa * s2s_r2_S3_2[j - 256 * s2s_j_strip];
                            }
                        }
                    }
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            const int s2s_j_last = (int)s2s_j_end;
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_last; j++) {
                                s2s_v_e_S5_1[j - 256 * s2s_j_strip] =
                                        exp(s2s_u_S4_1[j - 256 * s2s_j_strip]);
                            }
                        }
                    }
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            double s2s_field_0 = field[i].potential;
                            double s2s_field_1 = field[i].x;
                            double s2s_field_2 = field[i].y;
                            double s2s_field_3 = field[i].z;
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_end; j++) {
                                double s2s_dx_S7_2;
                                w = from[j].q * s2s_v_e_S5_1[j - 256 * s2s_j_strip];
                                s2s_dx_S7_2 = at[i].x - 0.5 * from[j].x;
                                s2s_field_0 += w;
                                s2s_field_1 += w * kappa * s2s_dx_S7_2;
                                s2s_field_2 += w * kappa * (at[i].y - from[j].y);
                                s2s_field_3 -= w * s2s_r2_S3_2[j - 256 * s2s_j_strip];
                            }
                            field[i].potential = s2s_field_0;
                            field[i].x = s2s_field_1;
                            field[i].y = s2s_field_2;
                            field[i].z = s2s_field_3;
                        }
                    }
                }
            } else {
        for (j = 0; j < n; j++) {
            dx = at[i].x - from[j].x;
            dy = at[i].y - from[j].y;
            r2 = dx * dx + dy * dy + 0.01;
            u = -kappa * r2;
            e = exp(u);
            w = from[j].q * e;
            dx = at[i].x - 0.5 * from[j].x;
            field[i].potential += w;
            field[i].x += w * kappa * dx;
            field[i].y += w * kappa * (at[i].y - from[j].y);
            field[i].z -= w * r2;
        }
            }
        }
    }
}

static void fields(int n, double *memory, size_t at, size_t from, size_t to)
{
    screened(n, 0.25, (source *)(memory + at), (source *)(memory + from),
             (vector *)(memory + to));
    show("fields", memory, 1900 * sizeof *memory);
}

int main(void)
{
    static const int counts[] = {0, 1, 15, 16, 17, 255, 256, 257, 300};
    for (int k = 0; k < 9; k++) {
        double *memory = numbers(1900, k);
        for (int i = 0; i < 1900; i++) memory[i] *= 0.01;
        fields(counts[k], memory, 0, 100, 1100);
        fields(counts[k], memory, 0, 0, 900);
        free(memory);
    }
    return 0;
}
