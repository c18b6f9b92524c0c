static double f(int n)
{
    T least = u[0];
    int where = 0;
    for (int i = 0; i < n; i++) {
        if (u[i] > best) { best = u[i]; place = i; }
        if (v[i] < least) { least = v[i]; where = i; }
    }
    place += where; best += least;
}
