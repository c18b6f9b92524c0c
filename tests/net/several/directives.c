void halve(int n, double *u, double *v, double s) {
    double t;
    int i;
#pragma omp parallel for private(t)
    for (i = 0; i < n; i++) {
        t = u[i];
        u[i] = t * 0.5;
    }
#pragma omp parallel for firstprivate(s)
    for (i = 0; i < n; i++)
        u[i] += s;
    for (i = 0; i + 1 < n; i++)
        v[i] = u[i];
}
