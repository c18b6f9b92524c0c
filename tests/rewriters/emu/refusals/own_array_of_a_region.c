// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
long t[4] = {1};
#pragma omp parallel firstprivate(t) // error: own copy of an array
{ t[0] = s; a[s] = t[0]; }
return s; }
int main(void) { return 0; }
