/* Cilk for the host. In the source threads run where they are spawned (S2S_NET_SOURCE); in what was
   emitted, calls of the functions of parallel loops are kept until cilk_sync. */
#ifndef S2S_NET_CILK_H
#define S2S_NET_CILK_H

#define cilk_for for
#define _Cilk_for for
#define cilk_spawn
#define _Cilk_spawn
#ifdef S2S_NET_SOURCE
#define cilk_sync ((void)0)
#define _Cilk_sync ((void)0)
#else
#include <memoryweb.h>

struct s2s_net_task {
    void *frame;
    const char *function;
    void (*run)(void *);
    void *given;
    int at;
};
S2S_NET struct s2s_net_task *s2s_net_tasks;
S2S_NET long s2s_net_count, s2s_net_room;

S2S_NET void s2s_net_later(void *frame, const char *function, int at, void (*run)(void *),
                           void *given, size_t size)
{
    if (s2s_net_count == s2s_net_room) {
        s2s_net_room = 2 * s2s_net_room + 64;
        s2s_net_tasks = realloc(s2s_net_tasks, s2s_net_room * sizeof *s2s_net_tasks);
    }
    void *kept = memcpy(malloc(size + 1), given, size);
    s2s_net_tasks[s2s_net_count++] = (struct s2s_net_task){frame, function, run, kept, at};
}

S2S_NET const char *s2s_net_reached[1000];
S2S_NET void s2s_net_reach(const char *function)
{
    int k = 0;
    while (k < 999 && s2s_net_reached[k] && s2s_net_reached[k] != function)
        k++;
    s2s_net_reached[k] = function;
}

/* The last thread that a frame has spawned runs first. */
S2S_NET void s2s_net_sync(void *frame, const char *function)
{
    for (long k = s2s_net_count; k-- > 0;) {
        struct s2s_net_task one = s2s_net_tasks[k];
        if (one.frame != frame || one.function != function)
            continue;
        memmove(s2s_net_tasks + k, s2s_net_tasks + k + 1, (--s2s_net_count - k) * sizeof one);
        int before = s2s_net_at;
        s2s_net_go(one.at);
        one.run(one.given);
        s2s_net_go(before);
        free(one.given);
        k = s2s_net_count;
    }
}

/* What has been reached; threads that nobody has waited for. */
static void s2s_net_last(void)
{
    fflush(stdout);
    for (int k = 0; s2s_net_reached[k]; k++)
        fprintf(stderr, "s2s-net: reached %s\n", s2s_net_reached[k]);
    if (s2s_net_count) {
        fprintf(stderr, "s2s-net: '%s' does not wait for its threads\n", s2s_net_tasks[0].function);
        _Exit(119);
    }
}

__attribute__((constructor)) static void s2s_net_first(void) { atexit(s2s_net_last); }

#define cilk_sync s2s_net_sync(__builtin_frame_address(0), __func__)
#endif

#endif
