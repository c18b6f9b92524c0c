void g(long n, short (*restrict a)[n], short (*restrict b)[n])
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n - 1; j++) {
            a[i][j] = b[i][j];
            b[i][j] = a[i][j + 1];
        }
}
