static double f(int n)
{
    for (int i = 0; i < n; i++) {
        v[i] += u[i] * 2;
        if (u[i] > 2) { place = i; break; }
        w[i] = 5;
    }
}
