/* Heads of attention: columns that begin at a product of what the loops do not change. */
#include <stdio.h>
static void attention(const float *q, const float *k, const float *v, float *s, float *o, int T, int C, int NH)
{
    int hs = C / NH;
    for (int h = 0; h < NH; h++) {
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                float d = 0;
                for (int e = 0; e < hs; e++) d += q[i * C + h * hs + e] * k[j * C + h * hs + e];
                s[(h * T + i) * T + j] = d * 0.25f;
            }
        for (int i = 0; i < T; i++)
            for (int e = 0; e < hs; e++) {
                float d = 0;
                for (int j = 0; j < T; j++) d += s[(h * T + i) * T + j] * v[j * C + h * hs + e];
                o[i * C + h * hs + e] = d;
            }
    }
}
int main(void)
{
    static float q[64 * 64], k[64 * 64], v[64 * 64], s[64 * 64 * 8], o[64 * 64];
    for (int i = 0; i < 64 * 64; i++) q[i] = i % 7 - 3, k[i] = i % 5 - 2, v[i] = i % 3 - 1;
    for (int nh = 1; nh <= 8; nh *= 2) for (int T = 0; T <= 64; T += 13) for (int c = 32; c <= 64; c += 16) {
        for (int i = 0; i < 4096; i++) o[i] = 1;
        attention(q, k, v, s, o, T, c, nh);
        float z = 0; for (int i = 0; i < 4096; i++) z += o[i] * (i % 13);
        printf("%d %d %d %g %g\n", nh, T, c, z, s[T]);
    }
    attention(q, k, q, s, q, 20, 32, 2);   /* output is an input */
    printf("%g\n", q[5] + q[77] + q[300]);
    return 0;
}
