extern int f(int);
double a[64][64], b[64][64], c[64];
void good(void)
{
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            a[i][j] += b[i][j];
}
void unknown(int n)
{
    for (int j = 0; j < f(n); j++)
        for (int i = 0; i < 64; i++)
            a[i][j] += b[i][j];
}
void changing(int *p, int *q)
{
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < p[1]; i++) {
            a[i][j] += b[i][j];
            q[i] = j;
        }
}
