// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++) { if (a[i]) break; } // error: a break out of a parallel loop
return s; }
int main(void) { return 0; }
