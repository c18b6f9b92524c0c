// s2s: --parallel --force --passes=doall -- -O2 -fopenmp
// stays
/* Where there are threads or tasks already, others would run one by one. */
#define N 64
static int a[N][N], b[N][N];

void sections(int n)
{
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) a[j][i] = i - j;
#pragma omp section
        for (int i = 0; i < n; i++) b[i][0] = i;
    }
}

void tasks(int n)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
    {
        for (int j = 0; j < n; j++) a[i][j] = i + j;
        for (int j = 0; j < n; j++) b[i][j] = a[i][j] * 2;
    }
}

/* The caller's threads share the rows. */
void orphan(int n)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = b[i][j] * 3;
}
