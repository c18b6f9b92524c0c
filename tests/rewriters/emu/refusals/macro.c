// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++) ADD(s) // error: a macro
return s; }
int main(void) { return 0; }
