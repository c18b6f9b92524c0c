// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for
for (long i = 0; i < n; i++)
#pragma omp atomic
c[i] += 1; // error: an atomic update of 'char'
return s; }
int main(void) { return 0; }
