// s2s: explain -- -fopenmp
// all: [race]

static int total;
static void add(int *sum, int value) { *sum += value; }
static void fill(double *to, int from, int end)
{
    for (int k = from; k < end; k++)
        to[k] = k;
}
static void note(void)
{
    #pragma omp critical
    total++;
}
void f(int n, double *p)
{
    int sum = 0;
#pragma omp parallel
    {
        int own = 0;
        add(&own, 1);
        note();
#pragma omp for
        for (int i = 0; i < n; i++)
            fill(p, 8 * i, 8 * i + 8);
    }
}
