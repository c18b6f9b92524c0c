float *f(float (*restrict a)[256], float (*restrict c)[256], float *restrict b)
{
    int k = 1;
    for (int i = 0; i < 256; i++) {
        for (int j = 1; j < 256; j++) {
            a[j][i] = a[j - 1][i] + b[k - 1] * c[j][i];
            ++k;
        }
        ++k;
    }
    return b + k;
}
