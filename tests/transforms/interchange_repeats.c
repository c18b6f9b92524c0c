// s2s: --passes=interchange
// stays
/* What is repeated has vectors, and inside of them each repetition would wait for the one before. */
typedef struct { float x, y, z, w; } Vertex;

static void turn(Vertex *at, int n, const float *m)
{
    for (int i = 0; i < n; i++) {
        float x = at[i].x, y = at[i].y;
        at[i].x = m[0] * x - m[1] * y;
        at[i].y = m[1] * x + m[0] * y;
    }
}

void often(Vertex *at, int n, const float *m, int times)
{
    for (int t = 0; t < times; t++)
        turn(at, n, m);
}

void fade(float *restrict a, const float *restrict b, int n, int times)
{
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 0.75f + b[i];
}
