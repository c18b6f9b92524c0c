// records of all kinds
int main(void)
{
    union u { long l; double d; } *x = malloc(100 * sizeof *x);
    struct { long a, b; } p = { 3, 4 };
    typedef struct { union u w; struct in { int q[3]; } z; } deep;
    deep *y = calloc(100, sizeof(deep));
    struct bits { unsigned a : 3, b : 5; } *f = calloc(100, sizeof *f);
#pragma omp parallel for
    for (long v = 0; v < 100; v++) { x[v].l = v + p.a; y[v].w.l = p.b; y[v].z.q[2] = v; f[v].b = v; 
       struct in loc = { {1,2,3} }; y[v].z.q[1] = loc.q[1] + (int)sizeof(deep); }
    printf("%ld %ld %d %d %u\n", x[3].l, y[5].w.l, y[7].z.q[2], y[7].z.q[1], f[70].b);
    return 0;
}
