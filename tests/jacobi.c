void jacobi(int nx, int ny, int steps, double *f_, double *u_, double *unew_)
{
    double (*f)[ny] = (double (*)[ny])f_;
    double (*u)[ny] = (double (*)[ny])u_;
    double (*unew)[ny] = (double (*)[ny])unew_;
#pragma omp parallel
#pragma omp single
    {
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < nx; i++) {
#pragma omp task depend(in: unew[i]) depend(out: u[i])
                for (int j = 0; j < ny; j++)
                    u[i][j] = unew[i][j];
            }
            for (int i = 0; i < nx; i++) {
#pragma omp task depend(out: unew[i]) depend(in: f[i], u[i - 1], u[i], u[i + 1])
                for (int j = 0; j < ny; j++)
                    unew[i][j] = (i == 0 || j == 0 || i == nx - 1 || j == ny - 1)
                        ? f[i][j]
                        : 0.25 * (u[i - 1][j] + u[i][j + 1] + u[i][j - 1] + u[i + 1][j] + f[i][j]);
            }
        }
#pragma omp taskwait
    }
}
