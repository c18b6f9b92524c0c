/* What the drivers of this folder share: a clock, reproducible inputs, and a digest of results.
 *
 * A driver calls kernels of a suite by their public signatures. It prints the seconds of the
 * kernel on standard error; on standard output lines `bits: ...` with a hash of each result, for
 * builds that must agree exactly, and lines `sum: ...`, for builds that may round differently.
 * Everything is printed by fprintf: some drivers stand in for the suite's printf.
 */
#ifndef S2S_BENCH_H
#define S2S_BENCH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void bench_time(double seconds)
{
    fprintf(stderr, "time: %.9f s\n", seconds);
}

/* A number from 0 to 1 that depends on its two arguments only. */
static inline double bench_random(uint64_t stream, uint64_t position)
{
    uint64_t x = position * 0x9e3779b97f4a7c15u + stream * 0xd1b54a32d192ed03u + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

static inline uint64_t bench_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

static inline uint64_t bench_bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return value != value ? 0x7ff8000000000000u : word;
}

/* The digest of a stream of numbers. */
typedef struct {
    uint64_t hash;
    uint64_t count;
    double plain;
    double weighted;
} bench_digest;

static inline void bench_add(bench_digest *digest, double value)
{
    digest->hash = bench_mix(digest->hash, bench_bits(value));
    digest->count++;
    digest->plain += fabs(value);
    digest->weighted += fabs(value) * (double)(digest->count % 61);
}

static inline void bench_print(const char *name, const bench_digest *digest)
{
    double plain = digest->plain, weighted = digest->weighted;
    fprintf(stdout, "bits: %s %016llx\n", name, (unsigned long long)digest->hash);
    if (plain != plain)
        fprintf(stdout, "sum: %s %llu nan\n", name, (unsigned long long)digest->count);
    else
        fprintf(stdout, "sum: %s %llu %.12e %.12e\n", name, (unsigned long long)digest->count,
                plain, weighted);
}

static inline void bench_doubles(const char *name, const double *values, size_t count)
{
    bench_digest digest = {0, 0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        bench_add(&digest, values[i]);
    bench_print(name, &digest);
}

static inline void bench_floats(const char *name, const float *values, size_t count)
{
    bench_digest digest = {0, 0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        bench_add(&digest, values[i]);
    bench_print(name, &digest);
}

static inline void bench_ints(const char *name, const int *values, size_t count)
{
    bench_digest digest = {0, 0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        bench_add(&digest, values[i]);
    bench_print(name, &digest);
}

static inline void *bench_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static inline int bench_argument(int argc, char **argv, int position)
{
    int value = position < argc ? atoi(argv[position]) : 0;
    if (value <= 0) {
        fprintf(stderr, "argument %d is no positive number\n", position);
        exit(2);
    }
    return value;
}

#endif
