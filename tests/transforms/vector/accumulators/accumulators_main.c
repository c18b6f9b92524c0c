typedef void loop(int, int, int, struct item *, const struct item *, struct wide *,
                  const double *, const double *, double *, double (*)[4], double (*)[4]);
static union { double d[800]; float f[1600]; int n[1600]; char bytes[6400]; } one, two;
static void fill(void)
{
    for (int k = 0; k < 800; k++) one.d[k] = (k * 37 % 101) * 0.125 - 3;
    memcpy(&two, &one, sizeof one);
}
static void run(loop *f, double *d, int i, int hi, const int *at)
{
    f(i, i % 3, hi, (struct item *)(d + at[0]), (struct item *)(d + at[1]),
      (struct wide *)(d + at[2]), d + at[3], d + at[4], d + at[5], (double (*)[4])(d + at[6]),
      (double (*)[4])(d + at[7]));
}
static void check(loop *old, loop *new, int count, const char *name)
{
    static const int places[][8] = {
        {0, 150, 300, 310, 420, 500, 520, 600},  /* apart */
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 3, 3, 6, 9, 1, 2, 0}, {60, 0, 90, 61, 30, 63, 45, 20},
    };
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 7; i += 2)
            for (int hi = -1; hi < 50; hi += 1 + hi / 2 + (hi < 0)) {
                fill();
                run(old, one.d, i, hi, places[k]);
                run(new, two.d, i, hi, places[k]);
                if (memcmp(&one, &two, sizeof one)) printf("%s %d %d %d\n", name, k, i, hi);
            }
}
