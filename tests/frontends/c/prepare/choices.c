/* What functions of integers return, as one expression of their parameters. */
#define N 100
#define LEAST 0
#define RETURN(x) return x
typedef int number;
extern int global;
int clamp(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return hi; return v; }
int wrap(int i) { if (i < 0) return i + N; else if (i >= N) return i - N; return i; }
int set(int v, int lo, int hi) { if (v < lo) v = lo; if (v > hi) { v = hi; } return v; }
long widened(int v, unsigned lo) { int r = v; if (v < 3) r = lo; else return r; return r; }
number mirror(number v) { if (v < LEAST) { v = -v; } number t = v - N; return t < 0 ? v : N - t; }
short narrowed(short v, short w) { short x; x = v + w; return x; }
int constant(const int v, int w) { const int k = v * 2; return k + w; }
/* Those that do more, or less. */
int unset(int v) { int u; if (v) u = 3; return u; }
int sized(char v) { if (v < 0) v = 0; return sizeof(v) + v; }
int element(int *v) { return *v; }
int counting(int v) { v++; return v; }
int falls(int v) { if (v < 0) return 1; }
int of_floats(float v) { if (v < 0) return 1; return 2; }
double halved(int v) { if (v < 0) return 0; return v / 2; }
int of_globals(int v) { if (v < global) return v; return 0; }
int by_macro(int v) { if (v < 0) return 0; RETURN(v); }
int hidden(int v) { if (v < 0) { int v = 1; return v; } return v; }
int address(int v) { int *p = &v; if (v < 0) return 0; return v; }
int doubled(int v) { int a = v < 0 ? 1 : v; a = a * a; a = a * a; a = a * a; a = a * a; a = a * a; a = a * a; return a; }
