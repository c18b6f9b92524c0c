// s2s: --passes=polysimd -- -O3 -mavx2
// stays
/* Nothing stores w[i] where the condition does not hold: another thread may. */
void weights(int n, const double *restrict u, const int *next, double *restrict w)
{
    double c;
    for (int i = 0; i < n; i++) {
        c = u[next[i]];
        if (c > 0) w[i] = c;
    }
}
