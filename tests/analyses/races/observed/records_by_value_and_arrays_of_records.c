// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

typedef struct { double x[10][64]; } block;
typedef struct { double x, y; } point;
void f(block b, int n, point *p)
{
#pragma omp parallel for
    for (int i = 1; i < n; i++) {
        p[i].x = p[i - 1].x; // warning: data race on 'p.x': nothing orders these accesses // warning: data race on 'p': nothing orders these accesses of different threads // note: the other access is here
        b.x[1][i] = p[i].x;
    }
}
