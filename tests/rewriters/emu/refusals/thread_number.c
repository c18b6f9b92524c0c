// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++) a[i] = omp_get_thread_num(); // error: 'omp_get_thread_num'
return s; }
int main(void) { return 0; }
