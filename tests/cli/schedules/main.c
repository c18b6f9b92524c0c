double c[37 * 37], x[37 * 37], y[37 * 37];
int main(void)
{
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 400; j++)
            a[i][j] = i % 7 - j % 5, b[i][j] = (i * j) % 11;
    for (int i = 0; i < 37 * 37; i++) c[i] = 0, x[i] = i % 13, y[i] = i % 17;
    f(37); mm(37, (void *)c, (void *)x, (void *)y); down(38); scan(39); down(1); f(0);
    double sum = 0;
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 400; j++) sum = sum * 0.999 + a[i][j] + 3 * b[j][i];
    for (int i = 0; i < 37 * 37; i++) sum = sum * 0.999 + c[i];
    printf("%.17g\n", sum);
    return 0;
}
