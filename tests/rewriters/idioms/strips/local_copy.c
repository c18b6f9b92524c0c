static double f(int n)
{
    for (int i = 0; i < n; i++) {
        const T x = u[i] * v[i];
        if (x > best) { best = x; place = i; }
    }
}
