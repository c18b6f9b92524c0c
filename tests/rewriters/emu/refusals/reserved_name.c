// s2s: --target emu

#define ADD(x) x = 1;
long f(long n, long *a, char *c, long s) {
long s2s_k = 1; // error: the name 's2s_k'
return s; }
int main(void) { return 0; }
