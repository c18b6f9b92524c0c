enum { N = 24 };
typedef double plane[N][N];
static plane a[N + 2], b[N + 2];
static int size[3] = { N, N, N };
static double line[N];
