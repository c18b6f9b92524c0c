/* Heat spreading along a rod: the program that the README's commands are tried on.
 * An explicit time step and a copy back, both as parallel loops.
 *
 * usage: rod N STEPS
 */
#include <stdio.h>
#include <stdlib.h>

/* Hot at one end. */
static void set_up(int n, double *heat)
{
    for (int i = 0; i < n; i++)
        heat[i] = i == 0 ? 100.0 : (i * 13) % 32;
}

/* Some steps. */
void diffuse(int n, int steps, double *restrict heat, double *restrict next)
{
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            next[i] = heat[i] + 0.2 * (heat[i - 1] - 2.0 * heat[i] + heat[i + 1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            heat[i] = next[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    double *heat = calloc(n, sizeof *heat), *next = calloc(n, sizeof *next), sum = 0;
    set_up(n, heat);
    set_up(n, next);
    diffuse(n, steps, heat, next);
    for (int i = 0; i < n; i++)
        sum += heat[i];
    printf("%.17g\n", sum);
    free(heat);
    free(next);
    return 0;
}
