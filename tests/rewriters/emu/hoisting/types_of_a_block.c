// types of a block
int main(void)
{
    long n = 30;
    long (*A)[30] = malloc(n * sizeof *A);
    for (long t = 0; t < 2; t++) {
        struct cell { long v; };
        struct cell *c = calloc(n, sizeof *c);
#pragma omp parallel for
        for (long i = 0; i < n; i++) { struct cell k = { i }; c[i] = k;
            for (long j = 0; j < n; j++) A[i][j] = j; }
        printf("%ld %ld %s\n", c[4].v, A[3][2], "x");
        free(c);
    }
    return 0;
}
