// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 1; i < n; i *= 2) a[i] = 0; // error: by steps
return s; }
int main(void) { return 0; }
