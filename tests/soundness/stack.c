double in[520], out[520];

/* Permuted loops over rows that a function has on the stack. */
void rows(void)
{
    double sums[5][20], *first = &sums[0][0];
    struct { int count; float part[5][24]; } kept = {0};
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 5; i++)
            sums[i][j] = -1.25;
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 5; i++)
            kept.part[i][j] = 2.5f;
    for (int i = 0; i < 20; i++)
        out[i] = sums[i % 5][i] + kept.part[i % 5][i] + first[i];
}

/* Each thread has a copy of one array that is global, and of one that is not. */
static float shared_rows[4][24];
void copies(void)
{
    float own_rows[4][24];
#pragma omp parallel for private(shared_rows, own_rows)
    for (int k = 0; k < 8; k++) {
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 4; i++)
                shared_rows[i][j] = 1.5f;
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 4; i++)
                own_rows[i][j] = 0.5f;
        out[k] = shared_rows[k % 4][k] + own_rows[k % 4][k];
    }
}

/* An array that each thread has. */
static float thread_rows[5][24];
#pragma omp threadprivate(thread_rows)
void of_threads(void)
{
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 5; i++)
            thread_rows[i][j] = 0.25f;
    for (int i = 0; i < 8; i++)
        out[i] = thread_rows[i % 5][i];
}

/* A declaration that no text can be written into. */
#define ROWS(name) float name[4][24]
void hidden(void)
{
    ROWS(rows);
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 4; i++)
            rows[i][j] = 3.5f;
    for (int i = 0; i < 8; i++)
        out[i] = rows[i % 4][i];
}

/* Renamed elements and a copy in strips. */
void renamed(void)
{
    float a[300], b[600], c[300];
    for (int i = 0; i < 300; i++) {
        a[i] = (float)in[i];
        c[i] = (float)in[i + 1];
    }
    for (int i = 0; i < 600; i++)
        b[i] = (float)(i % 7);
    for (int i = 4; i <= 290; i++) {
        a[i + 5] = c[i - 3] + b[2 * i + 2];
        b[2 * i] = a[i - 1] + 1;
        a[i] = c[i + 5] - 1;
        c[i] = b[2 * i - 4];
    }
    for (int i = 0; i < 300; i++)
        out[i] = a[i] + b[i] + c[i];
}

/* A selection among values. */
static float u[520], v[520];
static int w[520];
void picked(void)
{
    for (int i = 0; i < 520; i++) {
        v[i] = (float)in[i];
        w[i] = i % 3;
    }
    for (int i = 0; i < 500; i++) {
        switch (w[i]) {
        case 1: case 7: u[i] = v[i] * 2; break;
        case 2: u[i] -= v[i]; break;
        default: u[i] = 3; break;
        }
    }
    for (int i = 0; i < 500; i++)
        out[i] = u[i];
}

/* A maximum in lanes. */
void largest(void)
{
    float most = (float)in[0];
    for (int i = 1; i < 500; i++)
        most = (float)in[i] > most ? (float)in[i] : most;
    out[0] = most;
}
