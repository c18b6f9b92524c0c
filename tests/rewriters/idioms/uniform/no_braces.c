static double f(int n)
{
    for (int i = 0; i < n; i++)
        if (v[i] < 0) v[i] = 0;
    return 0;
}
