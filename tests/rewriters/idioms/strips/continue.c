static double f(int n)
{
    for (int i = 0; i < n; i++) {
        if (u[i] > 2) { place++; continue; }
        v[i] = 1;
    }
}
