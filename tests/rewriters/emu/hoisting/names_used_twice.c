// names used twice
static long sq(long x) { return x * x; }
struct edge { double other; };
static long first(long n)
{
    enum { N = 7, M };
    typedef long word;
    word *a = calloc(n, sizeof(word));
#pragma omp parallel for
    for (long i = 0; i < n; i++) a[i] = N + M;
    word r = a[0];
    free(a);
    return r;
}
static long second(long n)
{
    enum { N = 9, M = 20 };
    typedef int word;
    struct edge { long to; };
    struct edge *e = calloc(n, sizeof(struct edge));
    word *a = calloc(n, sizeof(word));
    long (*fn)(long) = sq;
    static long count;
    long late(long);
#pragma omp parallel for
    for (long i = 0; i < n; i++) { a[i] = N + M; e[i].to = fn(i) + late(i); if (i == 3) count = 5; }
    long r = a[0] + e[3].to + count;
    free(a); free(e);
    return r;
}
long late(long x) { return x + 1; }
int main(void)
{
    struct edge z = { 1.5 };
    printf("%ld %ld %g\n", first(10), second(10), z.other);
    return 0;
}
