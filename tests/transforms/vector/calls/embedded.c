// s2s: --passes=polysimd --reassociate -- -O3 -fopenmp
// run
// text: exp(s2s_exp_of_
#include "soundness/numbers.h"
#include <math.h>

struct well { double depth, x, y, z; };

/* Gaussian wells: energy and slopes at places, with the function in the middle of a sum. */
void wells(int n, double width, const struct well *at, const struct well *of, double *energy,
           double (*slope)[3])
{
#pragma omp parallel for
    for (int i = 0; i < 24; i++)
        // remark: split into 3 loops around calls
        for (int j = 0; j < n; j++) {
            double dx = at[i].x - of[j].x;
            double dy = at[i].y - of[j].y;
            double dz = at[i].z - of[j].z;
            double w = of[j].depth * exp(-(dx * dx + dy * dy + dz * dz) * width) + 0.5 * dx;
            energy[i] += w;
            slope[i][0] += w * dx * width;
            slope[i][1] += w * dy * width;
            slope[i][2] += w * dz * width + 0.25 * dy;
        }
}

static void wells_of(int n, double *memory, size_t at, size_t of)
{
    wells(n, 0.25, (struct well *)(memory + at), (struct well *)(memory + of), memory + 1500,
          (double (*)[3])(memory + 1600));
    show("wells", memory, 1700 * sizeof *memory);
}

int main(void)
{
    static const int counts[] = {0, 1, 15, 16, 17, 255, 256, 257, 300};
    for (int k = 0; k < 9; k++) {
        double *memory = numbers(1700, k);
        for (int i = 0; i < 1700; i++) memory[i] *= 0.01;
        wells_of(counts[k], memory, 0, 200);
        wells_of(counts[k], memory, 0, 0);
        free(memory);
    }
    return 0;
}
