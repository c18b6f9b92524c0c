// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel for // error: no loop behind
while (n--) a[n] = 0;
return s; }
int main(void) { return 0; }
