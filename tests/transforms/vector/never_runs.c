// s2s: --passes=polysimd
// stays
/* A loop that never runs: nothing is left of it. */
unsigned never(unsigned *p, unsigned *q, unsigned *r, int i, int k)
{
    unsigned s = 0;
    for (int j = i + 1; j < i; j++) {
        unsigned u = r[i] * p[j];
        q[j + i] = u;
        p[j + k] = p[j + k] + q[i + 1] + r[j];
        s = s % 1009 + p[j];
    }
    return s;
}
