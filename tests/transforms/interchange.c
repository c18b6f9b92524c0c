float a[64][64], c[64][64], b[4096];
void f(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 1; j < 64; j++)
            a[j][i] = a[j - 1][i] + b[64 * i + j] * c[j][i];
}
