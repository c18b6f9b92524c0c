// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

typedef struct { double *data; int rows, width; } matrix;
void f(matrix *m, int n)
{
#pragma omp parallel for
    for (int i = 1; i < m->rows; i++)
        for (int j = 1; j < n; j++)
            m->data[i * m->width + j] = m->data[i * m->width + j - m->width]; // warning: data race on 'm.data': nothing orders these accesses // note: the other access is here
}
