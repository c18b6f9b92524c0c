/* Sorting what lies on one nodelet: halves are sorted by threads and merged. */
#ifndef S2S_EMU_SORT_LOCAL_H
#define S2S_EMU_SORT_LOCAL_H

#include <stddef.h>
#include <string.h>
#include <cilk/cilk.h>
#include <memoryweb/memoryweb.h>

typedef int s2s_order(const void *, const void *);

static void s2s_merge(char *base, char *other, size_t middle, size_t end, size_t size,
                      s2s_order *order)
{
    size_t left = 0, right = middle, to = 0;
    while (left < middle && right < end) {
        int later = order(base + left * size, base + right * size) > 0;
        memcpy(other + to++ * size, base + (later ? right++ : left++) * size, size);
    }
    memcpy(other + to * size, base + left * size, (middle - left) * size);
    memcpy(base, other, (to + middle - left) * size);
}

static void s2s_sort(char *base, char *other, size_t num, size_t size, s2s_order *order)
{
    if (num < 2)
        return;
    size_t middle = num / 2;
    if (num > 64)
        cilk_spawn s2s_sort(base, other, middle, size, order);
    else
        s2s_sort(base, other, middle, size, order);
    s2s_sort(base + middle * size, other + middle * size, num - middle, size, order);
    cilk_sync;
    s2s_merge(base, other, middle, num, size, order);
}

static void emu_sort_local(void *base, size_t num, size_t size, s2s_order *order)
{
    char *other = mw_localmalloc(num * size, base);
    s2s_sort(base, other, num, size, order);
    mw_localfree(other);
}

#define emu_sort_local_bitonic emu_sort_local
#define emu_sort_local_merge emu_sort_local
#define emu_sort_local_quick emu_sort_local
#define emu_sort_local_pss emu_sort_local

#endif
