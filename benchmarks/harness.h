/* What the kernels of the suites need besides themselves: memory and hashes of their results.
 *
 * Valid as C and as C++.
 */
#ifndef BENCHMARKS_HARNESS_H
#define BENCHMARKS_HARNESS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* count zeroed elements of the given size; without memory the program ends with status 1. */
static inline void *zeroed(size_t count, size_t size)
{
    void *result = calloc(count, size);
    if (!result) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return result;
}

/* 64-bit FNV-1a, 32 bits at a time, of what hash stands for and the data; size is in bytes. */
static inline uint64_t hash_more(uint64_t hash, const void *data, size_t size)
{
    const char *bytes = (const char *)data;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static inline uint64_t hash_of(const void *data, size_t size)
{
    return hash_more(HASH_OF_NOTHING, data, size);
}

static inline double sum_of_doubles(const double *values, size_t count)
{
    double result = 0.0;
    for (size_t i = 0; i < count; i++) {
        result += values[i];
    }
    return result;
}

static inline double sum_of_floats(const float *values, size_t count)
{
    double result = 0.0;
    for (size_t i = 0; i < count; i++) {
        result += values[i];
    }
    return result;
}

/* The next of a sequence of numbers in [0, 1) that is the same on every machine. */
static inline double next_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 40) / 16777216.0;
}

#endif
