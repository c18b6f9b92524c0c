#include "soundness/numbers.h"

typedef struct { double x, y; } pair;
typedef struct { double v, x, y; } particle;

#define SQUARE(a) ((a) * (a))

/* Forces on the particles of a box by those of another one, which may be the same. */
void forces(int n, const particle *mine, const particle *other, const double *charge,
            particle *force)
{
    double r2, fx, fy;
    pair d;
    int i, j;
#pragma omp parallel for private(j, r2, fx, fy, d)
    for (i = 0; i < 40; i++) {

        {
            /* s2s: held 3 elements in locals */
            if (/* sizes for which this is right, and gains */
                n >= 16
                /* 'charge' and 'force' do not overlap */
                && __builtin_expect(
                   ((const char *)(charge + n) <= (const char *)(force + i)
                    || (const char *)(force + (long)i + 1) <= (const char *)charge)
                /* 'force' and 'mine' do not overlap */
                && ((const char *)(force + (long)i + 1) <= (const char *)(mine + i)
                    || (const char *)(mine + (long)i + 1) <= (const char *)(force + i))
                /* 'force' and 'other' do not overlap */
                && ((const char *)(force + (long)i + 1) <= (const char *)other
                    || (const char *)(other + n) <= (const char *)(force + i)), 1)) {
                double s2s_force_0 = force[i].v;
                double s2s_force_1 = force[i].x;
                double s2s_force_2 = force[i].y;
                for (int j = 0; j < n; j++) {
                    r2 = mine[i].v + other[j].v - SQUARE(mine[i].x - other[j].x);
                    d.x = mine[i].x - other[j].x;
                    d.y = mine[i].y - other[j].y;
                    fx = r2 * d.x;
                    fy = r2 * d.y;
                    s2s_force_0 += charge[j] * r2;
                    s2s_force_1 += charge[j] * fx;
                    s2s_force_2 += charge[j] * fy;
                }
                force[i].v = s2s_force_0;
                force[i].x = s2s_force_1;
                force[i].y = s2s_force_2;
            } else {
        for (j = 0; j < n; j++) {
            r2 = mine[i].v + other[j].v - SQUARE(mine[i].x - other[j].x);
            d.x = mine[i].x - other[j].x;
            d.y = mine[i].y - other[j].y;
            fx = r2 * d.x;
            fy = r2 * d.y;
            force[i].v += charge[j] * r2;
            force[i].x += charge[j] * fx;
            force[i].y += charge[j] * fy;
        }
            }
        }
    }
}

static void forces_of(int n, double *memory, size_t first, size_t second, size_t charge, size_t to)
{
    forces(n, (particle *)(memory + first), (particle *)(memory + second), memory + charge,
           (particle *)(memory + to));
    show("forces", memory, 800 * sizeof *memory);
}

int main(void)
{
    int n;
    for (n = 0; n < 100; n += 33) {
        double *memory = numbers(800, n);
        forces_of(n, memory, 0, 0, 500, 620);
        forces_of(n, memory, 0, 200, 560, 680);
        free(memory);
    }
    return 0;
}
