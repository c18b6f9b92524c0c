// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, double *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++) { double old; __atomic_exchange(&c[i], &c[0], &old, 0); } // error: '__atomic_exchange'
return s; }
int main(void) { return 0; }
