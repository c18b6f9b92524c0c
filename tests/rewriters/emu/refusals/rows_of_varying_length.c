// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
long b[n][n];
#pragma omp parallel for
for (long i = 0; i < n; i++) b[i][0] = 1; // error: rows of a length that varies
return s; }
int main(void) { return 0; }
