// s2s: --passes=polysimd -- -O3 -fopenmp
// run
// text: double s2s_v_e_S
// text: s2s_field_1 +=
#include "soundness/numbers.h"
#include <math.h>

typedef struct { double q, x, y; } source;
typedef struct { double potential, x, y, z; } vector;

/* Screened charges: the field at one place by all sources, which may be the places themselves. */
void screened(int n, double kappa, const source *at, const source *from, vector *field)
{
    double dx, dy, r2, u, e, w;
    int i, j;
#pragma omp parallel for private(j, dx, dy, r2, u, e, w)
    for (i = 0; i < 30; i++) {
        // remark: split into 3 loops around calls
        for (j = 0; j < n; j++) {
            dx = at[i].x - from[j].x;
            dy = at[i].y - from[j].y;
            r2 = dx * dx + dy * dy + 0.01;
            u = -kappa * r2;
            e = exp(u);
            w = from[j].q * e;
            dx = at[i].x - 0.5 * from[j].x;
            field[i].potential += w;
            field[i].x += w * kappa * dx;
            field[i].y += w * kappa * (at[i].y - from[j].y);
            field[i].z -= w * r2;
        }
    }
}

static void fields(int n, double *memory, size_t at, size_t from, size_t to)
{
    screened(n, 0.25, (source *)(memory + at), (source *)(memory + from),
             (vector *)(memory + to));
    show("fields", memory, 1900 * sizeof *memory);
}

int main(void)
{
    static const int counts[] = {0, 1, 15, 16, 17, 255, 256, 257, 300};
    for (int k = 0; k < 9; k++) {
        double *memory = numbers(1900, k);
        for (int i = 0; i < 1900; i++) memory[i] *= 0.01;
        fields(counts[k], memory, 0, 100, 1100);
        fields(counts[k], memory, 0, 0, 900);
        free(memory);
    }
    return 0;
}
