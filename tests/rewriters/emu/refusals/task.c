// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp task // error: 'omp task'
a[0] = 1;
return s; }
int main(void) { return 0; }
