// s2s: --passes=polysimd -- -O3
// stays
typedef struct { double v, x; } particle;
static particle force[64], place[64];

/* A compiler sees that the two are different arrays, and holds the sums by itself. */
void forces(int i, int n)
{
    double d, e;
    for (int j = 0; j < n; j++) {
        d = place[i].x - place[j].x;
        e = d * place[j].v;
        force[i].v += e;
        force[i].x += d * e;
    }
}
