static void start(int *x, int *y, row *a, row *b, int seed)
{
    for (int i = 0; i < 48; i++) {
        gp[i] = (i * 7 + seed) % MOST;
        x[i] = (i * 11 + 3 * seed) % MOST;
        y[i] = (i * 5 + 2 * seed + 1) % MOST;
    }
    for (int i = 0; i < 40; i++) own.pad[i] = other.pad[i] = (i * 3 + seed) % MOST;
    own.n = (11 + seed) % MOST; other.n = (14 + 5 * seed) % MOST;
    for (int i = 0; i < 3; i++) { own.dims[i] = (7 + seed * i) % MOST; other.dims[i] = 19 - i; }
    own.next = &other; other.next = &own; where = gp + 4;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i * 37 + j * 11 + seed) % 64 / 64.0;
            b[i][j] = (i * 13 + j * 29 + seed) % 64 / 32.0;
        }
}
#define TRY(F, P, S, X, Y, N) \
    start(x, y, a, b, seed); F(N, 1 + seed % 2, P, S, X, Y, a, b); \
    show(#F, a, sizeof a); show("b", b, sizeof b); show("gp", gp, sizeof gp); \
    show("x", x, sizeof x); show("y", y, sizeof y); \
    show("own", &own.dims, sizeof own.dims); printf("%d %d\n", own.n, other.n);
#define ALL(F) \
    for (int seed = 0; seed < 4; seed++) { \
        TRY(F, x, &own, y, y + 20, 20) TRY(F, x, &own, x, y, 13) TRY(F, x, &own, x + 1, x, 9) \
        TRY(F, gp, &own, gp, y, 17) TRY(F, x, &own, own.dims, &own.n, 3) \
        TRY(F, x, &other, gp + 1, other.pad, 12) \
    }
#define NONE(F) { int seed = 1; TRY(F, 0, 0, y, y, 0) }
int main(void)
{
    static int x[48], y[48];
    static row a[SIZE], b[SIZE];
