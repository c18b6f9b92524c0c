// s2s: --passes=polysimd -- -O3
// run
// text: float s2s_
#include "soundness/numbers.h"
#include <math.h>

/* Rates of reactions: two calls, the second one of what the first one has; all values are kept. */
float rates(int n, float t, const float *restrict energy, const float *restrict weight,
            float *restrict forward, float *restrict net, float *restrict total)
{
    float a, b, x, y, last = 0;
    // remark: split into 5 loops around calls
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
