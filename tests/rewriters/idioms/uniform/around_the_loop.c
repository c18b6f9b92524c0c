static double f(int n)
{
    if (n > 0) for (int i = 0; i < n; i++)
        if (u[i] < v[i]) u[i] = w[i]; else if (u[i] > 2) w[i] = 1;
    else;
    return 0;
}
