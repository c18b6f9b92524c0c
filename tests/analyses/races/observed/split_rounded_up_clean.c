// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

void f(int n, double *a, double *b)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        int size = omp_get_num_threads();
        int p_m = (n + size - 1) / size, p_l = id * p_m, p_h = p_l + p_m;
        if (p_h > n) p_h = n;
        for (int i = p_l; i < p_h; i++)
            a[i] = i;
#pragma omp barrier
        int q_m = (n + size - 1) / size, q_l = id * q_m, q_h = q_l + q_m;
        if (q_h > n) q_h = n;
        for (int i = q_l; i < q_h; i++)
            b[i] = a[n - 1 - i];
    }
}
