enum { N = 14 };
static double a[N + 2][N + 2][N + 2], b[N + 2][N + 2][N + 2], w[N + 2], v[2][N + 2];
static int size[3];
