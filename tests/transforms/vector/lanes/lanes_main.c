typedef void loop(int, const float *, const float *, const int *, const int *, float *, float *);
static float one[1000], two[1000];
static int up[100], down[100];
static void run(loop *f, float *m, int n, const int *at)
{
    f(n, m + at[0], m + at[1], up, down, m + at[2], m + at[3]);
}
static void check(loop *old, loop *new, int count, const char *name)
{
    static const int places[][4] = {{0, 200, 450, 600}, {0, 200, 500, 500}, {3, 200, 520, 500}};
    for (int k = 0; k < count; k++)
        for (int n = 0; n < 100; n += 1 + n / 3) {
            for (int i = 0; i < 1000; i++) one[i] = two[i] = (float)(i * 37 % 101) * 0.03f - 1;
            for (int i = 0; i < n; i++) up[i] = i * 7 % n, down[i] = (i + n / 2) % n;
            run(old, one, n, places[k]);
            run(new, two, n, places[k]);
            if (memcmp(one, two, sizeof one)) printf("%s %d %d\n", name, k, n);
        }
}
