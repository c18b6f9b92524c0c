// s2s: --passes=lanes -- -O3 -march=x86-64-v3 -fopenmp
// stays
/* Columns; a number of terms that the compiler knows; a sum of integers; sums that depend on others. */
void columns(const float *a, float *b, int n, int m)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += a[i * m + j];
        b[i] = s * 2;
    }
}

void known(const float *restrict a, double *restrict b, const float *restrict k, int n)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < 7; j++) s += k[j] * a[i + j];
        b[i] = s;
    }
}

void whole(const int *a, long *b, const int *k, int n, int m)
{
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < m; j++) s += k[j] * a[i + j];
        b[i] = s;
    }
}

void waiting(const float *a, float *b, int n, int m)
{
    for (int i = 1; i < n; i++) {
        float s = b[i - 1];
        for (int j = 0; j < m; j++) s = s * 0.5f + a[i + j];
        b[i] = s;
    }
}

/* Declared together with what no array holds. */
void together(const float *restrict a, float *restrict b, const float *restrict k, int n, int m)
{
    for (int i = 0; i < n; i++) {
        float s = 0, other = 1;
        for (int j = 0; j < m; j++) s += k[j] * a[i + j];
        b[i] = s;
    }
    for (int i = 0; i < n; i++) {
        float other = b[i], s = other * other;
        for (int j = 0; j < m; j++) s += k[j] * a[i + j];
        b[i] = s;
    }
}
