#include <math.h>
#include <stdio.h>

#define N 200
#define LENGTH(x, y) sqrt((x) * (x) + (y) * (y))

struct body { double x, y, z, m; };
typedef struct { float x, y; } arrow;

static struct body bodies[N];
static double force[N];

/* s2s: roots depend on their operands alone: nothing here reads errno */
extern double (sqrt)(double) __attribute__((__const__));

/* pulls of all bodies on each */
static void pull(int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double dx = bodies[j].x - bodies[i].x;
            double dy = bodies[j].y - bodies[i].y;
            double r = LENGTH(dx, dy) + 1e-6;
            sum += bodies[j].m * dx / (r * r * r);
        }
        force[i] = sum;
    }
}

static float length(arrow a)
{
    return sqrtf(a.x * a.x + a.y * a.y);
}

/* s2s: roots depend on their operands alone: nothing here reads errno */
extern float (sqrtf)(float) __attribute__((__const__));

/* the file's function takes the root */
static void scale(int n, arrow *arrows)
{
    for (int i = 0; i < n; i++) {
        float all = length(arrows[i]);
        arrows[i].x /= all;
        arrows[i].y /= all;
    }
}

/* roots of what has none are no numbers, before and after */
static void lone(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = sqrt(from[i]);
}

int main(void)
{
    static arrow arrows[N];
    static double to[N];
    for (int i = 0; i < N; i++) {
        bodies[i] = (struct body){i * 0.37, i % 17, i % 5, 1 + i % 3};
        arrows[i] = (arrow){i % 11 - 5.5f, i * 0.25f};
    }
    pull(N);
    scale(N, arrows);
    force[3] = -2;
    force[4] = -0.0;
    force[5] = INFINITY;
    lone(N, force, to);
    for (int i = 0; i < N; i++)
        printf("%a %a %a %d %a\n", force[i], arrows[i].x, arrows[i].y, isnan(to[i]), isnan(to[i]) ? 0 : to[i]);
    return 0;
}
