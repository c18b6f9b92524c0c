// conditionals that end inside, calls elsewhere
void elsewhere(void);
void g(void) { elsewhere(); }
void f(int n, double a[n][n]) {
#ifndef OTHER
#pragma omp parallel for
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j][i] += 1.0;
}
