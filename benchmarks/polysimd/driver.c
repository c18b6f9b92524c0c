/* Serves the kernels by their names; see ../suites/loops.h. */
#include "../suites/loops.h"

#include "kernels.h"

static const struct {
    const char *name;
    void (*sweep)(void);
} kernels[] = {
    {"s116", s116},   {"s1244", s1244}, {"s241", s241}, {"s243", s243},
    {"s244", s244},   {"s2251", s2251}, {"s252", s252}, {"s254", s254},
    {"s255", s255},   {"s257", s257},   {"s261", s261}, {"running_example", running_example},
};

static int loops_arrays(loops_array arrays[MOST_ARRAYS])
{
    const loops_array all[] = {
        {a, LENGTH}, {b, LENGTH}, {c, LENGTH}, {d, LENGTH}, {e, LENGTH},
        {aa[0], SIDE * SIDE}, {bb[0], SIDE * SIDE},
    };
    memcpy(arrays, all, sizeof all);
    return sizeof all / sizeof *all;
}

static int place_of(const char *name)
{
    int count = sizeof kernels / sizeof *kernels;
    for (int k = 0; k < count; k++)
        if (strcmp(kernels[k].name, name) == 0)
            return k;
    return -1;
}

static int loops_call(const char *name, double *result)
{
    int kernel = place_of(name);
    *result = 0.0;
    if (kernel < 0)
        return 0;
    for (int sweep = 0; sweep < CHECKED_SWEEPS; sweep++) {
        kernels[kernel].sweep();
        loops_swept(0.0);
    }
    return 1;
}

static int loops_time(const char *name, int sweeps, double *seconds, double *result)
{
    int kernel = place_of(name);
    if (kernel < 0)
        return 0;
    loops_fill_with_ones();
    kernels[kernel].sweep();
    *result = a[LENGTH / 2] + b[LENGTH / 3] + c[LENGTH / 4] + d[LENGTH / 5] + aa[SIDE / 2][SIDE / 3];
    double start = loops_now();
    for (int sweep = 0; sweep < sweeps; sweep++)
        kernels[kernel].sweep();
    *seconds = loops_now() - start;
    return 1;
}

int main(void)
{
    return loops_serve();
}
