/* How many elements a thread gets, so that there are as many threads as contexts. */
#ifndef S2S_EMU_GRAIN_HELPERS_H
#define S2S_EMU_GRAIN_HELPERS_H

#include <memoryweb/memoryweb.h>

#define THREADS_PER_GC ((long)S2S_CONTEXTS)

static long get_gcs_per_nodelet(void) { return S2S_CORES; }

static long LOCAL_GRAIN(long n)
{
    long threads = THREADS_PER_GC * get_gcs_per_nodelet();
    return n > threads ? n / threads : 1;
}

static long GLOBAL_GRAIN(long n)
{
    long threads = THREADS_PER_GC * get_gcs_per_nodelet() * NODELETS();
    return n > threads ? n / threads : 1;
}

static long LOCAL_GRAIN_MIN(long n, long least)
{
    long grain = LOCAL_GRAIN(n);
    return grain > least ? grain : least;
}

static long GLOBAL_GRAIN_MIN(long n, long least)
{
    long grain = GLOBAL_GRAIN(n);
    return grain > least ? grain : least;
}

#endif
