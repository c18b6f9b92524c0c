// s2s: --passes=polysimd -- -O3
// stays
/* Two elements at once, each gathered by itself: slower than one after the other. */
void differences(int n, const double *restrict u, const int *next, double *restrict d)
{
    double c;
    for (int i = 0; i < n; i++) {
        c = u[i];
        d[i] = u[next[i]] - c;
    }
}
