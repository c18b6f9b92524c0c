// macros that change within a function
#define K 5
long g(void) { return K; }
int main(void)
{
#undef K
#define K 6
    long *a = calloc(50, sizeof(long));
#pragma omp parallel for
    for (long i = 0; i < 50; i++) {
#define T (K + 1)
        a[i] += K + T;
    }
#undef T
#define T 99
    printf("%ld %ld %d\n", a[7], g(), T);
    return 0;
}
