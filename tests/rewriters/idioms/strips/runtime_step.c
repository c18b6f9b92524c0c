static double f(int n)
{
    int step = 1 + (n == 200), k = 0;
    for (int i = 0; i < n / 2; i++, k += step)
        if (u[k] > best) { best = u[k]; place = k; }
    place += k;
}
