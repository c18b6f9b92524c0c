// s2s: --passes=polysimd -- -O3 -mavx2
// stays
/* An iteration may read what an earlier one has stored. */
void walk(int n, double *u, const int *next)
{
    double c;
    for (int i = 0; i < n; i++) {
        c = u[next[i]];
        u[i] = 0.5 * c;
    }
}
