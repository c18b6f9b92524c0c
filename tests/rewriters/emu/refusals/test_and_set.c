// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++) a[i] = __sync_lock_test_and_set(&c[i], 1); // error: '__sync_lock_test_and_set'
return s; }
int main(void) { return 0; }
