typedef double row[99];
int go(void);

void f(int n, const row *a, const row *b, row *c)
{
    while (go())
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
            c[i][j] += a[i][k] * b[k][j];
}
