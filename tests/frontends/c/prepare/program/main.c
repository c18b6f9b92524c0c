#include <stdio.h>
void run(int n, int steps, double *u, double *v);
static double u[900], v[900];
int main(void)
{
    for (int i = 0; i < 900; i++) u[i] = i % 17;
    run(30, 20, u, v);
    for (int i = 0; i < 900; i += 7) printf("%.17g\n", u[i]);
    return 0;
}
