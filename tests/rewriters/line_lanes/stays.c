// s2s: --passes=line-lanes:vector=32 -- -O2 -fopenmp
// stays
/* What looks like independent lines of blocks, and is not, or would gain nothing. */
#define N 12

static double u[N][N][N][2], b[N][N][N][2][2], c[N][N][N][2][2], y[N][N][N][2], w[N][N][N];
static double h[N][N][N][2][2], kept, shared_sum;
static int n;
extern double seen[N][N][N][2][2];

static void apply(double m[2][2], double v[2], double to[2])
{
    to[0] -= m[0][0] * v[0] + m[0][1] * v[1];
    to[1] -= m[1][0] * v[0] + m[1][1] * v[1];
}

/* Takes the place before its block. */
static void before(double m[2][2], double v[2])
{
    int r;

    for (r = 0; r < 2; r++)
        v[r] = m[r - 1][1] * v[r] + m[r][0];
}

/* Adds to what all lines share. */
static void adds(double m[2][2], double v[2])
{
    shared_sum += m[0][0] * v[0];
}

/* Each point reads its neighbour along all three loops. */
static void neighbours(void)
{
    int i, j, k;

    for (i = 1; i < n; i++)
        for (j = 1; j < n; j++)
            for (k = 1; k < n; k++)
                apply(b[i][j][k], y[i - 1][j - 1][k - 1], y[i][j][k]);
}

/* Along i, with lines that begin at different places. */
static void triangle(void)
{
    int i, j, k;

    for (i = 1; i < n; i++)
        for (j = 1; j < i; j++)
            for (k = j; k < n; k++)
                apply(b[i][j][k], y[i - 1][j][k], y[i][j][k]);
}

/* Two loops over lines that are not alike. */
static void other_range(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++)
                apply(b[i][j][k], y[i - 1][j][k], y[i][j][k]);
    for (j = 0; j < n; j++)
        for (k = 0; k < n; k++)
            for (i = 1; i < n; i++)
                apply(b[i][j][k], y[i - 1][j][k], y[i][j][k]);
}

/* A sum over all lines, in their order. */
static void sums(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++)
                adds(b[i][j][k], y[i][j][k]);
}

static void outside(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++)
                before(b[i][j][k], y[i][j][k]);
}

/* A value goes from one statement to the next loop. */
static void goes_on(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++) {
            kept = u[0][j][k][0];
            for (i = 1; i < n; i++) {
                h[i][j][k][0][0] = kept * u[i][j][k][0];
                h[i][j][k][1][1] = kept * u[i][j][k][1];
            }
        }
}

/* What is set by the last line is read elsewhere. */
static void keeps(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++) {
                kept = u[i][j][k][0] * 3.0 + u[i][j][k][1];
                apply(b[i][j][k], y[i - 1][j][k], y[i][j][k]);
                y[i][j][k][0] = kept * kept * kept + kept * y[i][j][k][1];
            }
}

/* Elements of lines lie side by side: compilers make vectors of that. */
static void contiguous(void)
{
    int i, j, k;

    for (i = 1; i < n; i++)
        for (j = 1; j < n; j++)
            for (k = 1; k < n; k++)
                w[i][j][k] = w[i - 1][j][k] * 0.5 + u[i][j][k][0] * u[i][j][k][1];
}

/* Other files may read the blocks: all of them would have to be written. */
static void seen_elsewhere(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++) {
                seen[i][j][k][0][0] = u[i][j][k][0] * 2.0;
                seen[i][j][k][0][1] = u[i][j][k][1] * 3.0;
                seen[i][j][k][1][0] = u[i][j][k][0] - 1.0;
                seen[i][j][k][1][1] = u[i][j][k][1] - 2.0;
            }
}

/* A bound is written by a line. */
static int counts[N][N][2];
static void writes_bound(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < counts[0][0][0]; i++)
                counts[j][k][0] = counts[j][k][1] * 2 + i;
}

/* Where the line is depends on what each line writes. */
static int which;
static void moving_place(void)
{
    int i, j, k;

    for (j = 1; j < n; j++)
        for (k = 1; k < n; k++)
            for (i = 1; i < n; i++) {
                which = 1;
                h[which][j][k][0][0] = u[i][j][k][0] * 2.0;
            }
}

double all(int size)
{
    n = size;
    neighbours();
    triangle();
    other_range();
    sums();
    outside();
    goes_on();
    keeps();
    contiguous();
    seen_elsewhere();
    writes_bound();
    moving_place();
    return kept + shared_sum + c[1][1][1][0][0] + h[1][1][1][0][0] + y[n][n][n][1];
}
