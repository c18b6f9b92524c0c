// pointers and arrays
typedef double real;
typedef real vec[3];
int main(void)
{
    const long n = 40;
    vec *a = calloc(n, sizeof(vec)), w = { 1, 2, 3 };
    real s = 0;
    const real *restrict r = w;
    int (*table[2])(int) = { abs, abs };
    int (*(*tt))(int) = table;
    const char *const names[] = { "ab", "cde" };
    long m[4][5];
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) { for (int k = 0; k < 3; k++) a[i][k] = r[k] * i + tt[1](-k);
      s += a[i][2] + w[1] + names[i & 1][0];
      s += ((int[]){1, 2, 3})[i % 3];
      m[i % 4][i % 5] = 3; }
    printf("%g %g %ld\n", (double)s, (double)a[7][1], m[2][2]);
    return 0;
}
