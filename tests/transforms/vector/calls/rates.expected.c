#include "soundness/numbers.h"
#include <math.h>

/* Rates of reactions: two calls, the second one of what the first one has; all values are kept. */
float rates(int n, float t, const float *restrict energy, const float *restrict weight,
            float *restrict forward, float *restrict net, float *restrict total)
{
    float a, b, x, y, last = 0;

    {
        /* s2s: split into 5 loops around calls */
        if (n >= 16) {
            for (long s2s_i_strip = 0; s2s_i_strip <= ((long)n + 255) / 256 - 1; s2s_i_strip++) {
                float s2s_a_S1_2[256] __attribute__((aligned(64)));
                float s2s_x_S2_1[256] __attribute__((aligned(64)));
                float s2s_b_S3_3[256] __attribute__((aligned(64)));
                float s2s_y_S4_1[256] __attribute__((aligned(64)));
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            s2s_a_S1_2[i - 256 * s2s_i_strip] = energy[i] * t + weight[i];
                        }
                    }
                }
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            s2s_x_S2_1[i - 256 * s2s_i_strip] =
                                    expf(-s2s_a_S1_2[i - 256 * s2s_i_strip]
                                         * s2s_a_S1_2[i - 256 * s2s_i_strip]);
                        }
                    }
                }
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            s2s_b_S3_3[i - 256 * s2s_i_strip] =
                                    s2s_x_S2_1[i - 256 * s2s_i_strip] * weight[i] + 1.5f
                                    + s2s_a_S1_2[i - 256 * s2s_i_strip] * 0.25f
                                    - s2s_x_S2_1[i - 256 * s2s_i_strip]
                                      * s2s_a_S1_2[i - 256 * s2s_i_strip];
                        }
                    }
                }
                {
                    long s2s_i_end = 256 * s2s_i_strip + 255;
                    if (s2s_i_end > n - 1) s2s_i_end = n - 1;
                    if (256 * s2s_i_strip <= s2s_i_end) {
                        const int s2s_i_last = (int)s2s_i_end;
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            s2s_y_S4_1[i - 256 * s2s_i_strip] =
                                    logf(s2s_b_S3_3[i - 256 * s2s_i_strip]);
                        }
                    }
                }
                if (n >= 256 * s2s_i_strip + 257) {
                    if (256 * s2s_i_strip <= 256 * s2s_i_strip + 255) {
                        const int s2s_i_last = (int)(256 * s2s_i_strip + 255);
                        for (int i = (int)(256 * s2s_i_strip); i <= s2s_i_last; i++) {
                            last = s2s_y_S4_1[i - 256 * s2s_i_strip] * weight[i];
                            forward[i] = s2s_x_S2_1[i - 256 * s2s_i_strip] * energy[i]
                                         - weight[i] * s2s_a_S1_2[i - 256 * s2s_i_strip]
                                         + s2s_x_S2_1[i - 256 * s2s_i_strip];
                            net[i] = last * s2s_x_S2_1[i - 256 * s2s_i_strip]
                                     + s2s_y_S4_1[i - 256 * s2s_i_strip] * energy[i]
                                     - s2s_a_S1_2[i - 256 * s2s_i_strip]
                                       * s2s_y_S4_1[i - 256 * s2s_i_strip]
                                     + 2 * s2s_x_S2_1[i - 256 * s2s_i_strip];
                            total[i] = net[i] * weight[i] + forward[i] * energy[i]
                                       + (s2s_a_S1_2[i - 256 * s2s_i_strip]
                                          - s2s_y_S4_1[i - 256 * s2s_i_strip])
                                         * (s2s_x_S2_1[i - 256 * s2s_i_strip]
                                            + s2s_y_S4_1[i - 256 * s2s_i_strip])
                                       + s2s_b_S3_3[i - 256 * s2s_i_strip];
                        }
                    }
                } else {
                    if (256 * s2s_i_strip < n - 1) {
                        const int s2s_i_last = n - 1;
                        for (int i = (int)(256 * s2s_i_strip); i < s2s_i_last; i++) {
                            last = s2s_y_S4_1[i - 256 * s2s_i_strip] * weight[i];
                            forward[i] = s2s_x_S2_1[i - 256 * s2s_i_strip] * energy[i]
                                         - weight[i] * s2s_a_S1_2[i - 256 * s2s_i_strip]
                                         + s2s_x_S2_1[i - 256 * s2s_i_strip];
                            net[i] = last * s2s_x_S2_1[i - 256 * s2s_i_strip]
                                     + s2s_y_S4_1[i - 256 * s2s_i_strip] * energy[i]
                                     - s2s_a_S1_2[i - 256 * s2s_i_strip]
                                       * s2s_y_S4_1[i - 256 * s2s_i_strip]
                                     + 2 * s2s_x_S2_1[i - 256 * s2s_i_strip];
                            total[i] = net[i] * weight[i] + forward[i] * energy[i]
                                       + (s2s_a_S1_2[i - 256 * s2s_i_strip]
                                          - s2s_y_S4_1[i - 256 * s2s_i_strip])
                                         * (s2s_x_S2_1[i - 256 * s2s_i_strip]
                                            + s2s_y_S4_1[i - 256 * s2s_i_strip])
                                       + s2s_b_S3_3[i - 256 * s2s_i_strip];
                        }
                    }
                    {
                        const int i = n - 1;
                        a = s2s_a_S1_2[i - 256 * s2s_i_strip];
                    }
                    {
                        const int i = n - 1;
                        last = s2s_y_S4_1[i - 256 * s2s_i_strip] * weight[i];
                    }
                    {
                        const int i = n - 1;
                        forward[i] = s2s_x_S2_1[i - 256 * s2s_i_strip] * energy[i]
                                     - weight[i] * s2s_a_S1_2[i - 256 * s2s_i_strip]
                                     + s2s_x_S2_1[i - 256 * s2s_i_strip];
                    }
                    {
                        const int i = n - 1;
                        net[i] = last * s2s_x_S2_1[i - 256 * s2s_i_strip]
                                 + s2s_y_S4_1[i - 256 * s2s_i_strip] * energy[i]
                                 - s2s_a_S1_2[i - 256 * s2s_i_strip]
                                   * s2s_y_S4_1[i - 256 * s2s_i_strip]
                                 + 2 * s2s_x_S2_1[i - 256 * s2s_i_strip];
                    }
                    {
                        const int i = n - 1;
                        total[i] = net[i] * weight[i] + forward[i] * energy[i]
                                   + (s2s_a_S1_2[i - 256 * s2s_i_strip]
                                      - s2s_y_S4_1[i - 256 * s2s_i_strip])
                                     * (s2s_x_S2_1[i - 256 * s2s_i_strip]
                                        + s2s_y_S4_1[i - 256 * s2s_i_strip])
                                   + s2s_b_S3_3[i - 256 * s2s_i_strip];
                    }
                }
            }
        } else {
    for (int i = 0; i < n; i++) {
        a = energy[i] * t + weight[i];
        x = expf(-a * a);
        b = x * weight[i] + 1.5f + a * 0.25f - x * a;
        y = logf(b);
        last = y * weight[i];
        forward[i] = x * energy[i] - weight[i] * a + x;
        net[i] = last * x + y * energy[i] - a * y + 2 * x;
        total[i] = net[i] * weight[i] + forward[i] * energy[i] + (a - y) * (x + y) + b;
    }
        }
    }
    return last + a;
}

int main(void)
{
    static const int counts[] = {1, 15, 16, 17, 255, 256, 257, 600};
    for (int k = 0; k < 8; k++) {
        float *memory = numbers(3000, k), got;
        for (int i = 0; i < 3000; i++) memory[i] = (float)((i * 37 + k) % 101) * 0.01f;
        got = rates(counts[k], 0.75f, memory, memory + 600, memory + 1200, memory + 1800,
                    memory + 2400);
        show("rates", memory, 3000 * sizeof *memory);
        show("last", &got, sizeof got);
        free(memory);
    }
    return 0;
}
