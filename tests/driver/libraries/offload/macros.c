#define TWO(i) y[i] += A[i][j] * x[j]; z = 1
#define BEFORE(i) w = 2; for (int i = 0; i < n; i++)
int f(int n, double A[n][n], double *restrict x, double *restrict y) {
    int z = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) TWO(i);
    return z;
}
int g(int n, double A[n][n], double *restrict x, double *restrict y) {
    int w = 0;
    BEFORE(i) for (int j = 0; j < n; j++) { y[i] += A[i][j] * x[j]; }
    return w;
}
