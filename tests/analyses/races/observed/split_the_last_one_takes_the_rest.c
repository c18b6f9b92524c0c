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
        int p_m = n / size, p_l = p_m * id;
        int p_h = id == size - 1 ? n : p_l + p_m;
        for (int i = p_l; i < p_h; i++)
            a[i] = i; // warning: data race on 'a': nothing orders these accesses
        int q_m = n / size, q_l = q_m * id;
        int q_h = id == size - 1 ? n : q_l + q_m;
        for (int i = q_l; i < q_h; i++)
            b[i] = a[n - 1 - i]; // note: the other access is here
    }
}
