void f(int n, double *a)
{
    for (int t = 0; t < n; t++) {
        a[0] += 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i] += j;
        while (a[1] > 0)
            a[1] -= 1;
    }
}
