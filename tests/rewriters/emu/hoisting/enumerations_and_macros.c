// enumerations and macros
#define FOR(i, n) for (long i = 0; i < (n); i++)
#define BODY(i) a[i] += 2 * (i)
enum color { RED, BLUE };
typedef struct node node;
struct node { enum color c; node *next; };
static long work(long n)
{
    long *a = calloc(n, 8), s = 0;
    enum color mine = BLUE;
    enum local { L1 = 4, L2 } l = L2;
    node *e = calloc(n, sizeof *e);
#pragma omp parallel for reduction(+:s)
    for (long i = 0; i < n; i++) {
        BODY(i);
        FOR(k, 3) a[i] += k;
        e[i].c = mine;
        if (l == L2 && e[i].c == BLUE) s += a[i] + L1;
    }
#pragma omp parallel
    {
#pragma omp for
        for (long i = 0; i < n; i++) { struct t { enum local z; } q = { L1 }; a[i] += q.z; s += 0; }
    }
    long t = s + a[n - 1];
    free(e); free(a);
    return t;
}
int main(void)
{
    enum { A, B } x = B;
    long n = 9, *b = calloc(n, 8);
#define SIZE 9
#if SIZE > 4
#define V(i) (i) + 1
#else
#define V(i) 0
#endif
#pragma omp parallel for
    for (long i = 0; i < SIZE; ++i) { b[i] = x + A + V(i); }
#undef SIZE
#undef V
#pragma omp parallel for
    for (long i = 0; i < n; ++i) { long SIZE = 3, V = 2; b[i] += SIZE + V; }
    printf("%ld %ld\n", work(12), b[4]);
    return 0;
}
