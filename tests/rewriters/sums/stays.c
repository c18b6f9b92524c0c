// s2s: --passes=jam-sums -- -O3 -fopenmp
// stays
double goes_on(const double *a, int n, int m)
{
    double s = 0, all = 0;
    for (int i = 0; i < n; i++) { // missed: 's' goes on from iteration to iteration [jam-sums]
        for (int k = 0; k < m; k++) s += a[i + k];
        all += s;
    }
    return all;
}
/* A substitution: later sums read what earlier iterations store. */
void solve(double *x, const double *l, int n)
{
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < i; k++) s -= l[i * n + k] * x[k];
        x[i] = s / l[i * n + i]; // missed: this may change what later sums are computed of [jam-sums]
    }
}
/* A store may hit what is read through a pointer of the same type. */
void aliases(double *y, const double *a, const double *x, int n, int m)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += a[i * m + k] * x[k];
        if (s > 0) y[i] = s; // missed: this may change what later sums are computed of [jam-sums]
    }
}
int first_above(const double *a, int n, int m)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += a[i * m + k];
        if (s > 1) return i;
    }
    return -1;
}
double moving_bound(const double *a, int n, int m)
{
    double all = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += a[i * m + k];
        if (s > 1) n--;
        all += s;
    }
    return all;
}
/* Compilers make vectors of sums of integers, and unroll short loops. */
long integers(const int *a, int n, int m)
{
    long most = 0;
    for (int i = 0; i < n; i++) {
        long s = 0;
        for (int k = 0; k < m; k++) s += a[i * m + k];
        if (s > most) most = s;
    }
    return most;
}
double three(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < 3; k++) s += a[i * 3 + k];
        if (s > most) most = s;
    }
    return most;
}
static double seen;
double counts(const double *a, int n, int m)
{
    for (int i = 0; i < n; i++) {
        double s = seen;
        for (int k = 0; k < m; k++) s += a[i * m + k];
        if (s > 3) seen = s / 2; // missed: this may change what later sums are computed of [jam-sums]
    }
    return seen;
}
double handed_out(const double *a, int n, int m)
{
    double all = 0;
#pragma omp parallel for reduction(+ : all) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) s += a[i * m + k];
        if (s > 0) all += s;
    }
    return all;
}
