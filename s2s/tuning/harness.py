"""The part of a measuring program that is the same for all regions: memory, clock, and rounds.

It is a file of its own, so that the compiler cannot look through it into the region's code: what a
pointer points to and what a parameter is stay as unknown as they are in the user's program.
"""

TEXT = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern double (*const s2s_candidates[])(const long *);
extern const int s2s_count;

enum { MOST_BLOCKS = 256 };
static struct { char *start; unsigned long bytes; } blocks[MOST_BLOCKS];

double s2s_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Numbers near 1 for floating point (kind 4 or 8), zeros for all else: subscripts, flags. */
void s2s_fill(void *start, unsigned long bytes, int kind)
{
    if (kind == 8) {
        double *values = start;
        for (unsigned long i = 0; i < bytes / 8; i++) values[i] = 0.5 + (i * 37 % 101) / 101.0;
    } else if (kind == 4) {
        float *values = start;
        for (unsigned long i = 0; i < bytes / 4; i++) values[i] = 0.5f + (i * 37 % 101) / 101.0f;
    } else {
        memset(start, 0, bytes);
    }
}

static char *memory(int number, unsigned long bytes)
{
    if (number >= MOST_BLOCKS || bytes >> 40) {
        fprintf(stderr, "too much memory\n");
        exit(3);
    }
    if (blocks[number].bytes < bytes) {
        free(blocks[number].start);
        blocks[number].start = malloc(bytes);
        blocks[number].bytes = bytes;
        if (!blocks[number].start) {
            fprintf(stderr, "out of memory\n");
            exit(3);
        }
    }
    return blocks[number].start;
}

void *s2s_block(int number, unsigned long bytes, unsigned long before, int kind)
{
    char *start = memory(number, bytes + before);
    s2s_fill(start, bytes + before, kind);
    return start + before;
}

void *s2s_table(int number, long rows, unsigned long bytes, int kind)
{
    unsigned long pointers = rows * sizeof(char *);
    char *start = memory(number, pointers + rows * bytes), **table = (char **)start;
    s2s_fill(start + pointers, rows * bytes, kind);
    for (long i = 0; i < rows; i++) table[i] = start + pointers + i * bytes;
    return table;
}

/* A member of some integer type; the low bytes come first on the machines that this runs on. */
void s2s_set(void *place, unsigned long bytes, long value)
{
    memcpy(place, &value, bytes < sizeof value ? bytes : sizeof value);
}

/* Data that is swept over and over may decay to denormal numbers, whose cost would be all. */
static void flush_denormals(void)
{
#if defined __x86_64__ && defined __SSE2__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
}

int main(int argc, char **argv)
{
    static long values[1024];
    if (argc < 4 || argc > 1027) return 2;
    int least = atoi(argv[1]), most = atoi(argv[2]);
    double limit = atof(argv[3]), began = s2s_now();
    for (int i = 4; i < argc; i++) values[i - 4] = atol(argv[i]);
    flush_denormals();
    for (int round = 0; round <= most; round++) {
        for (int i = 0; i < s2s_count; i++) {
            double took = s2s_candidates[i](values);
            if (round || !most) printf("%.9f ", took);
        }
        printf("\n");
        fflush(stdout);
        if (round >= least && s2s_now() - began > limit) break;
    }
    return 0;
}
"""
