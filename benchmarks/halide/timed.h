/* What s2s bench halide puts around an emitted function: memory, files, and the least time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *memory(size_t size, const char *path)
{
    void *made = calloc(1, size);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (made == NULL || (path && (file == NULL || fread(made, 1, size, file) != size)))
        exit(2);
    if (file)
        fclose(file);
    return made;
}

static void keep(const void *data, size_t size, const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        exit(2);
}

/* The least seconds of calls that take so many seconds together. */
static double least_time(int (*call)(void), double limit)
{
    double best = 1e30, spent = 0.0;
    do {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (call() != 0)
            exit(1);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double taken = (double)(end.tv_sec - start.tv_sec)
                             + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        best = taken < best ? taken : best;
        spent += taken;
    } while (spent < limit);
    return best;
}
