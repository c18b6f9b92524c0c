// functions by pointer
int main(void)
{
    long n = 30, *a = calloc(n, 8);
    long (*fn)(long) = labs, (*sums[2])(long) = { labs, labs };
    struct p { long x, y; } q = { 1, 2 }, *pq = &q;
    void *any = a;
    volatile long vol = 3;
    _Bool on = 1;
    unsigned char c = 7;
#pragma omp parallel for
    for (long i = 0; i < n; i++) { if (i == 2) { fn = labs; }
        if (i == 5) { q.x = 9; pq->y = 3; sums[0] = labs; }
      ((long *)any)[i] = i + vol + on + c;  }
    printf("%ld %ld %ld\n", a[4], q.x + q.y, fn(-4) + sums[0](-3));
    return 0;
}
