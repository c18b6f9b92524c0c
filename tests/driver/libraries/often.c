#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double matrix[64][64], given[64], found[64];

static int is_loaded(const char *library) {
    char line[1000];
    int there = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) there |= strstr(line, library) != NULL;
    return there;
}

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < 64; i++) given[i] = matrix[0][i] = 1;
    for (int t = 0; t < times; t++)
        for (int i = 0; i < 64; i++) {
            double sum = 0;
            for (int j = 0; j < 64; j++) sum += matrix[i][j] * given[j];
            found[i] = sum;
        }
    printf("%d %.0f\n", is_loaded("openblas"), found[0]);
    return 0;
}
