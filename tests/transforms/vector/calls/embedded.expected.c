#include "soundness/numbers.h"
#include <math.h>

struct well { double depth, x, y, z; };

/* Gaussian wells: energy and slopes at places, with the function in the middle of a sum. */
void wells(int n, double width, const struct well *at, const struct well *of, double *energy,
           double (*slope)[3])
{
#pragma omp parallel for
    for (int i = 0; i < 24; i++)

        {
            /* s2s: split into 3 loops around calls */
            double w;
            if (/* sizes for which this is right, and gains */
                n >= 16
                /* 'at' and 'energy' do not overlap */
                && __builtin_expect(
                   ((const char *)(at + (long)i + 1) <= (const char *)(energy + i)
                    || (const char *)(energy + (long)i + 1) <= (const char *)(at + i))
                /* 'at' and 'slope' do not overlap */
                && ((const char *)(at + (long)i + 1) <= (const char *)(slope + i)
                    || (const char *)(slope + (long)i + 1) <= (const char *)(at + i))
                /* 'energy' and 'of' do not overlap */
                && ((const char *)(energy + (long)i + 1) <= (const char *)of
                    || (const char *)(of + n) <= (const char *)(energy + i))
                /* 'energy' and 'slope' do not overlap */
                && ((const char *)(energy + (long)i + 1) <= (const char *)(slope + i)
                    || (const char *)(slope + (long)i + 1) <= (const char *)(energy + i))
                /* 'of' and 'slope' do not overlap */
                && ((const char *)(of + n) <= (const char *)(slope + i)
                    || (const char *)(slope + (long)i + 1) <= (const char *)of), 1)) {
                for (long s2s_j_strip = 0; s2s_j_strip <= ((long)n + 255) / 256 - 1;
                     s2s_j_strip++) {
                    double s2s_dx_S1_2[256] __attribute__((aligned(64)));
                    double s2s_dy_S2_2[256] __attribute__((aligned(64)));
                    double s2s_dz_S3_2[256] __attribute__((aligned(64)));
                    double s2s_exp_of_S4_3[256] __attribute__((aligned(64)));
                    double s2s_exp_value_S5_1[256] __attribute__((aligned(64)));
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            const int s2s_j_last = (int)s2s_j_end;
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_last; j++) {
                                s2s_dx_S1_2[j - 256 * s2s_j_strip] = at[i].x - of[j].x;
                                s2s_dy_S2_2[j - 256 * s2s_j_strip] = at[i].y - of[j].y;
                                s2s_dz_S3_2[j - 256 * s2s_j_strip] = at[i].z - of[j].z;
                                s2s_exp_of_S4_3[j - 256 * s2s_j_strip] =
                                        -(s2s_dx_S1_2[j - 256 * s2s_j_strip] * s2s_dx_S1_2[j - 256 * s2s_j_strip] + s2s_dy_S2_2[j - 256 * s2s_j_strip] * s2s_dy_S2_2[j - 256 * s2s_j_strip] + s2s_dz_S3_2[j - 256 * s2s_j_strip] * s2s_dz_S3_2[j - 256 * s2s_j_strip])
                                        * width;
                            }
                        }
                    }
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            const int s2s_j_last = (int)s2s_j_end;
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_last; j++) {
                                s2s_exp_value_S5_1[j - 256 * s2s_j_strip] =
                                        exp(s2s_exp_of_S4_3[j - 256 * s2s_j_strip]);
                            }
                        }
                    }
                    {
                        long s2s_j_end = 256 * s2s_j_strip + 255;
                        if (s2s_j_end > n - 1) s2s_j_end = n - 1;
                        if (256 * s2s_j_strip <= s2s_j_end) {
                            double s2s_energy_0 = energy[i];
                            double s2s_slope_0 = slope[i][0];
                            double s2s_slope_1 = slope[i][1];
                            double s2s_slope_2 = slope[i][2];
                            for (int j = (int)(256 * s2s_j_strip); j <= s2s_j_end; j++) {
                                w = of[j].depth * s2s_exp_value_S5_1[j - 256 * s2s_j_strip]
                                    + 0.5 * s2s_dx_S1_2[j - 256 * s2s_j_strip];
                                s2s_energy_0 += w;
                                s2s_slope_0 += w * s2s_dx_S1_2[j - 256 * s2s_j_strip] * width;
                                s2s_slope_1 += w * s2s_dy_S2_2[j - 256 * s2s_j_strip] * width;
                                s2s_slope_2 += w * s2s_dz_S3_2[j - 256 * s2s_j_strip] * width
                                               + 0.25 * s2s_dy_S2_2[j - 256 * s2s_j_strip];
                            }
                            energy[i] = s2s_energy_0;
                            slope[i][0] = s2s_slope_0;
                            slope[i][1] = s2s_slope_1;
                            slope[i][2] = s2s_slope_2;
                        }
                    }
                }
            } else {
        for (int j = 0; j < n; j++) {
            double dx = at[i].x - of[j].x;
            double dy = at[i].y - of[j].y;
            double dz = at[i].z - of[j].z;
            double w = of[j].depth * exp(-(dx * dx + dy * dy + dz * dz) * width) + 0.5 * dx;
            energy[i] += w;
            slope[i][0] += w * dx * width;
            slope[i][1] += w * dy * width;
            slope[i][2] += w * dz * width + 0.25 * dy;
        }
            }
        }
}

static void wells_of(int n, double *memory, size_t at, size_t of)
{
    wells(n, 0.25, (struct well *)(memory + at), (struct well *)(memory + of), memory + 1500,
          (double (*)[3])(memory + 1600));
    show("wells", memory, 1700 * sizeof *memory);
}

int main(void)
{
    static const int counts[] = {0, 1, 15, 16, 17, 255, 256, 257, 300};
    for (int k = 0; k < 9; k++) {
        double *memory = numbers(1700, k);
        for (int i = 0; i < 1700; i++) memory[i] *= 0.01;
        wells_of(counts[k], memory, 0, 200);
        wells_of(counts[k], memory, 0, 0);
        free(memory);
    }
    return 0;
}
