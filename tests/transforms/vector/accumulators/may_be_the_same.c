// s2s: --passes=polysimd -- -O3
// stays
typedef struct { double v, x; } particle;

/* The iteration with j equal to i reads what the others have updated. */
void forces(int i, int n, particle *p, const double *q)
{
    double d, e;
    for (int j = 0; j < n; j++) {
        d = p[i].x - p[j].x;
        e = d * q[j];
        p[i].v += e;
        p[i].x += d * e;
    }
}
