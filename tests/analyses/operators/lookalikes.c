// What looks like an operator and is none; before each function why its outermost nest is none.

// a statement that is no plain assignment of numbers
void sparse(int n, int *first, int *column, double *a, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            s += a[k] * x[column[k]];
        y[i] = s;
    }
}

// the loops do not run over a box of indices
void triangular_sum(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= i; k++)
                C[i][j] += A[i][k] * B[k][j];
}

// products of more than elements and constants
double squared_distance(int n, const double *x, const double *y) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (x[i] - y[i]) * (x[i] - y[i]);
    return s;
}

// a sum of elements of 'A' that it changes
void in_place(int n, double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                A[i][j] -= A[i][k] * A[k][j];
}

// 's' goes on from one iteration to the next
void running_sum(int n, double x[n], double y[n], double out[n]) {
    double s = 0;
    for (int t = 0; t < 1; t++) {
        s = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                s += x[j] * y[j];
            out[i] = s;
        }
    }
}

// a loop changes the same elements again
void repeated(int n, int times, double beta, double C[n]) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++)
            C[i] = beta * C[i] + 1.0;
}

// what 'y' gets and what else the loops do wait for each other
void waits(int n, double A[n][n], double x[n], double y[n + 1]) {
    for (int i = 0; i < n; i++) {
        x[i] = y[i];
        for (int j = 0; j < n; j++)
            y[i + 1] += A[i][j];
    }
}

// a sum in float64 of products of float32
void wider_sum(int n, float A[n][n], float x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += A[i][j] * x[j];
        y[i] = s;
    }
}

// products of more than elements and constants
void zero_skip(int n, double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += A[i][j] * (x[j] > 0.0 ? 1.0 : x[j]);
}

// products of more than elements and constants
void borders_count(int n, float x[n], float y[n]) {
    for (int i = 0; i < n; i++) {
        float m = -3.402823466e38f;
        for (int k = 0; k < 3; k++) {
            int at = i + k - 1;
            float v = at >= 0 && at < n ? x[at] : -3.4e38f;
            m = v > m ? v : m;
        }
        y[i] = m;
    }
}

// it reads elements of 'd' that it changes
void doubled_places(int n, int m, float *a, float *b, float *d)
{
    for (int i = 0; i < n; i++) {
        float t = 0;
        for (int j = 0; j < m; j++)
            t += a[i + j * n] * b[j];
        d[2 * i] = d[i] + t;
    }
}

// it reads elements of 'c' that it changes
void diagonal_places(int n, int m, float (*c)[m], float (*x)[m])
{
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n - 1; i++)
            c[i][j] = c[i + 1][j - 1] + x[i][j];
}
