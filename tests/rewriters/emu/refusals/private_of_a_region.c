// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
#pragma omp parallel private(s) // error: of a region's own
{ s = 1; a[s] = 2; }
return s; }
int main(void) { return 0; }
