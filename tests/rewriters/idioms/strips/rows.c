static double f(int n)
{
    T (*m)[150] = (T (*)[150])u;
    for (int r = 0; r < n / 150; r++)
        for (int i = 0; i < 150; i++)
            if (m[r][i] > best) { best = m[r][i]; place = 150 * r + i; }
}
