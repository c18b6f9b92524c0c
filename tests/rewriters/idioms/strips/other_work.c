static double f(int n)
{
    for (int i = 0; i < n; i++) {
        v[i] = u[i] * (T)0.5 + v[i];
        if (u[i] > best) { best = u[i]; place = i; }
        w[i] += 3;
    }
}
