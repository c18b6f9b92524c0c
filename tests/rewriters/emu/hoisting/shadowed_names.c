// shadowed names
int main(void)
{
    long n = 30, x = 2, *a = calloc(n, 8);
    {
        double x = 3;
#pragma omp parallel for
        for (long i = 0; i < n; i++) { 
            static const long add = 4;
            long x2 = x + add; { long x = 7; a[i] += x; }
            a[i] += x2;
#ifdef FAST
            a[i] = -1;
#else
            a[i] += 1;
#endif
            switch (i % 3) { case 0: a[i]++; break; default: a[i] += 2; }
#pragma omp parallel for
            for (int j = 0; j < 3; j++) a[i] += 0;
        }
    }
    printf("%ld %ld\n", a[4], x);
    printf("%s\n", "x");
    return 0;
}
