#include <math.h>
#include <stdio.h>
typedef struct { double x, y, f, g; } Part;
typedef struct { int n; double *a, *b; Part *p; float (*v)[3], *w; int *k; } Box;
static double table[600];
static float small[800];
static int kinds[300];
static Part parts[300];
static unsigned state = 7, alone;
static double next(void)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}
static void both(double r, double *s, double *t)
{
    *s = sqrt(r + 1.0);
    *t = r / (1.0 + r);
}
/* functions */
static double a_[300], c_[300];
static void fill(void)
{
    double z = 0;
    for (int i = 0; i < 600; i++) z = z * 0.5 + table[i] + small[i] + kinds[i % 300];
    for (int i = 0; i < 300; i++)
        z = z * 0.5 + a_[i] + c_[i] + parts[i].x + parts[i].y + parts[i].f + parts[i].g;
    printf("%a\n", z);
    for (int i = 0; i < 600; i++) table[i] = next();
    for (int i = 0; i < 800; i++) small[i] = next();
    for (int i = 0; i < 300; i++) {
        kinds[i] = i * 7 % 4;
        parts[i] = (Part){next(), next(), 0, 0};
        a_[i] = next();
        c_[i] = next();
    }
}
int main(void)
{
    double *a = a_, *c = c_;
    Box b = {90, a, c, parts, (float (*)[3])small, small + 400, kinds};
    fill();
    /* calls */
    return 0;
}
