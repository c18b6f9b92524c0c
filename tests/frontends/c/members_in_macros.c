#define MIN(x, y) ((x) < (y) ? (x) : (y))
struct size { int rows; struct { int count; } inner; };
void f(struct size s, struct size *t, double *a) {
    for (int i = 0; i < MIN(s.inner.count, t->rows); i++) a[i] = 0;
}

