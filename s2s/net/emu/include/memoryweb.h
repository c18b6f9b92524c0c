/* Emu's operations for a program that is compiled for the host to be compared with its source.

   Memory is the host's. Nodelets differ in what replicated data holds: it lies in one place, which
   is exchanged when a thread starts on another nodelet. What cilk_spawn starts is done at cilk_sync,
   the last first. A word belongs to the nodelet that its address says, as striped memory does. */
#ifndef S2S_NET_MEMORYWEB_H
#define S2S_NET_MEMORYWEB_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S2S_NET_N 4
#define S2S_NET __attribute__((unused)) static
#define replicated __attribute__((section("s2s_view")))
#define noinline

extern char __start_s2s_view[] __attribute__((weak)), __stop_s2s_view[] __attribute__((weak));
S2S_NET int s2s_net_at; /* the nodelet of the running thread */
S2S_NET char *s2s_net_copies[S2S_NET_N];

S2S_NET size_t s2s_net_viewed(void) { return __stop_s2s_view - __start_s2s_view; }

S2S_NET void s2s_net_go(int to)
{
    size_t size = s2s_net_viewed();
    if (to == s2s_net_at || !size)
        return;
    memcpy(s2s_net_copies[s2s_net_at], __start_s2s_view, size);
    memcpy(__start_s2s_view, s2s_net_copies[to], size);
    s2s_net_at = to;
}

__attribute__((constructor)) static void s2s_net_copy(void)
{
    for (int k = 0; s2s_net_viewed() && k < S2S_NET_N; k++) {
        s2s_net_copies[k] = malloc(s2s_net_viewed());
        memcpy(s2s_net_copies[k], __start_s2s_view, s2s_net_viewed());
    }
}

/* What is in sight, to all nodelets. */
S2S_NET void s2s_net_everywhere(void)
{
    for (int k = 0; s2s_net_viewed() && k < S2S_NET_N; k++)
        memcpy(s2s_net_copies[k], __start_s2s_view, s2s_net_viewed());
}

S2S_NET long NODELETS(void) { return S2S_NET_N; }
S2S_NET long NODE_ID(void) { return s2s_net_at; }
S2S_NET long mw_ptrtonodelet(const void *p) { return (uintptr_t)p / 8 % S2S_NET_N; }
S2S_NET void *mw_get_nth(const void *view, long nodelet)
{
    if (nodelet < 0 || nodelet >= S2S_NET_N)
        abort();
    if (nodelet == s2s_net_at)
        return (void *)view;
    return s2s_net_copies[nodelet] + ((const char *)view - __start_s2s_view);
}

S2S_NET void FENCE(void) {}
S2S_NET void RESCHEDULE(void) {}
S2S_NET void RESIZE(void) {}
S2S_NET long NUM_NODES(void) { return 1; }
S2S_NET long THREAD_ID(void) { return 0; }
S2S_NET long CLOCK(void) { return 0; }
S2S_NET long PRIORITY(long value) { return value ? 63 - __builtin_clzl(value) : 0; }
S2S_NET long POPCNT(long sum, const long *p) { return sum + __builtin_popcountl(*p); }
S2S_NET void MIGRATE(const void *p) { s2s_net_go(mw_ptrtonodelet(p)); }
S2S_NET long *mw_malloc1dlong(size_t elements) { return malloc(8 * elements); }
S2S_NET void *mw_localmalloc(size_t bytes, const void *beside) { return malloc(bytes); }
S2S_NET void mw_localfree(const void *memory) { free((void *)memory); }
S2S_NET void mw_free(const void *memory) { free((void *)memory); }
S2S_NET void *mw_malloc2d(size_t blocks, size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    char **array = malloc(8 * blocks + 16 + blocks * bytes);
    char *first = (char *)(((uintptr_t)(array + blocks) + 15) / 16 * 16);
    for (size_t i = 0; i < blocks; i++)
        array[i] = first + i * bytes;
    return array;
}
S2S_NET void *mw_arrayindex(const void *array, unsigned long block, unsigned long blocks, size_t bytes)
{
    if (block >= blocks)
        abort();
    return ((void **)array)[block];
}

#define S2S_NET_FAMILY(NAME, result) \
    S2S_NET long ATOMIC_##NAME(volatile long *p, long v) { long m = *p; return result; } \
    S2S_NET long ATOMIC_##NAME##S(volatile long *p, long v) { long m = *p; *p = v; return result; } \
    S2S_NET long ATOMIC_##NAME##M(volatile long *p, long v) { long m = *p; return *p = result; } \
    S2S_NET long ATOMIC_##NAME##MS(volatile long *p, long v) { long m = *p; *p = result; return m; } \
    S2S_NET void REMOTE_##NAME(volatile long *p, long v) { long m = *p; *p = result; }
S2S_NET_FAMILY(ADD, (long)((unsigned long)m + (unsigned long)v))
S2S_NET_FAMILY(AND, m & v)
S2S_NET_FAMILY(OR, m | v)
S2S_NET_FAMILY(XOR, m ^ v)
S2S_NET_FAMILY(MAX, m > v ? m : v)
S2S_NET_FAMILY(MIN, m < v ? m : v)
S2S_NET long ATOMIC_SWAP(volatile long *p, long v) { long m = *p; *p = v; return m; }
S2S_NET long ATOMIC_CAS(volatile long *p, long replacement, long expected)
{
    long m = *p;
    *p = m == expected ? replacement : m;
    return m;
}

#endif
