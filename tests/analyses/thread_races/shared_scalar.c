int a, g;
void f(int n, int *p)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        g = p[i] + a;
        p[i] = g;
    }
}
