// s2s: --passes=split,lanes -- -O3 -march=haswell
// stays
/* Look-alikes: remainders that go round more often, of what changes. */

void round_and_round(double *restrict out, const double *key, int n, int k)
{
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n; i++) out[t * n + i] = key[i % k];
}

void moved(double *restrict out, const double *a, int m, int n)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            out[j * 4096 + i] = a[(i + 1) % n];
            if (out[j * 4096 + i] < 0) n--;
        }
}

void twice(double *restrict out, const double *a, int m, int n)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            out[j * 4096 + i] = a[(i + 1) % n];
            i += out[j * 4096 + i] < 0;
        }
}
