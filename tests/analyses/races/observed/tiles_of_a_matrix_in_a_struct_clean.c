// s2s: explain -- -fopenmp
// all: [race]

int omp_get_thread_num(void);
int omp_get_num_threads(void);

#define MIN(x, y) ((x) < (y) ? (x) : (y))
struct tiles { int rows, columns, size; };
void sweep(struct tiles m, int n, double tile[n][n])
{
    for (int k = 0; k < MIN(m.rows, m.columns); k++) {
#pragma omp task depend(out: tile[k][k]) affinity(data: tile[k])
        tile[k][k] = 1.0;
        for (int j = k + 1; j < m.columns; j++) {
#pragma omp task depend(in: tile[k][k]) depend(out: tile[k][j]) affinity(data: tile[j])
            tile[k][j] = tile[k][k];
        }
    }
}
