float f(const float *u, int n) {
    float m = u[0];
    int at = 0;
    for (int i = 1; i < n; i++) if (u[i] > m) { m = u[i]; at = i; }
    return m + at;
}
