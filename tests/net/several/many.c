/* Places that are changed, rightly and wrongly. */
#define N 40
static double a[N][N], b[N][N], u[N], v[N];

void scaled(void)
{
    for (int i = 0; i < N; i++)
        u[i] = 2.0 * v[i];
}

void moved(int n)
{
    for (int i = 0; i < n; i++)
        v[i] = u[i + 1] - v[i];
}

void summed(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] += b[j][i] * u[j];
}

void halved(int n)
{
    for (int i = n - 1; i >= 0; i--)
        u[i] = u[i] * 0.5 + v[i];
}

void filled(double value)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = value + i - j;
}
