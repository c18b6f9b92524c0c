/* Bounds in elements and globals of the type that is written, inside what is written for some. */
#include <stdio.h>

int many, limits[4];

static void sum(int (*a)[40], int (*b)[40], const int *most)
{
    for (int j = 0; j < most[1]; j++)
        for (int i = 1; i < many; i++)
            a[i][j] = a[i - 1][j] + b[i][j];
}

static int grid[64][40], other[64][40];

static void show(const char *name)
{
    unsigned total = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 40; j++) total = total * 31 + (unsigned)grid[i][j];
    printf("%s %d %u\n", name, many, total);
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 40; j++) grid[i][j] = (i + j) % 5 + 20, other[i][j] = (i * j) % 3 - 1;
    many = 50;
    limits[1] = 33;
    sum(grid, other, limits);
    show("apart");
    for (int place = 0; place < 40; place += 3) {
        grid[20][place] = 33;
        sum(grid, other, &grid[20][place] - 1); /* the bound is written as the loops run */
        show("inside");
    }
    return 0;
}
