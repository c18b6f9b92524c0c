// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for reduction(mine : s) // error: the reduction 'mine'
for (long i = 0; i < n; i++) s += i;
return s; }
int main(void) { return 0; }
