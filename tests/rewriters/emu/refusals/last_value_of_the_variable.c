// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
long i;
#pragma omp parallel for lastprivate(i) // error: the last value of 'i'
for (i = 0; i < n; i++) a[i] = i;
return s + i; }
int main(void) { return 0; }
