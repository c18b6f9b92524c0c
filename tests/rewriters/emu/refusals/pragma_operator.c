// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
_Pragma("omp parallel for") for (long i = 0; i < n; i++) a[i] = 0; // error: '_Pragma'
return s; }
int main(void) { return 0; }
