static double f(int n)
{
    for (int i = 0; i < n; i++) {
        if (u[i] > 2 && v[i] < 0) { place = i; break; }
        if (v[i] == 9) break;
    }
}
