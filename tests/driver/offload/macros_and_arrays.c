#define EACH(i) for (int i = 0; i < 8; i++)
#define SET(a) do { EACH(i) a[i] = 0; } while (0)
double sqrt(double);
void unknown(void);
static int x[3][8], y[8], w[8];
static const int table[3] = {1, 2, 3};
static void twice(int *p, const int *q, int n) { for (int i = 0; i < n; i++) p[i] = 2 * q[i]; }
static struct layer { int n, *w, f[8]; unsigned bits : 3; } l;
static void global(void) { for (int i = 0; i < 8; i++) y[i] = 1; }
