typedef double loop(int, int, int, double, double *, const struct item *, struct item *,
                    struct whole *, double (*)[4], double (*)[3]);
static double one[8000], two[8000];
static void fill(void)
{
    for (int k = 0; k < 8000; k++) one[k] = two[k] = (k * 37 % 101) * 0.0078125 - 0.25;
}
static double run(loop *f, double *d, int i, int hi, const int *at)
{
    return f(i, i % 3, hi, 0.375, d + at[0], (const struct item *)(d + at[1]),
             (struct item *)(d + at[2]), (struct whole *)(d + at[3]), (double (*)[4])(d + at[4]),
             (double (*)[3])(d + at[5]));
}
static void check(loop *old, loop *new, const char *name)
{
    static const int places[][6] = {
        {0, 1400, 2800, 2990, 3000, 6000}, {0, 0, 0, 0, 0, 0}, {0, 3, 40, 6, 9, 0},
        {60, 0, 61, 30, 2000, 70}, {0, 1400, 1400, 3990, 4000, 7000},
    };
    static const int ends[] = {-1, 0, 1, 15, 16, 17, 40, 255, 256, 257, 511, 515};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 4; i += 3)
            for (int h = 0; h < 12; h++) {
                double a, b;
                fill();
                a = run(old, one, i, ends[h], places[k]);
                b = run(new, two, i, ends[h], places[k]);
                if (memcmp(one, two, sizeof one) || memcmp(&a, &b, sizeof a))
                    printf("%s %d %d %d\n", name, k, i, ends[h]);
            }
}
int main(void)
{
    CHECKS
    return 0;
}
