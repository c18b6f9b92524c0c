// structs
struct cell { double value, flux; }; struct grid { int n; double weight; };
void f(struct cell *cells, const struct grid *g, struct cell one) {
    int n = g->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cells[j * n + i].flux = cells[j * n + i].value * one.value + g->weight;
}
