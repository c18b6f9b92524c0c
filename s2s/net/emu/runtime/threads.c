/* For the source: OpenMP whose threads run one after another, the last first, as
   many as S2S_NET_THREADS says. A barrier lets the others go on. */
#include <stdlib.h>
#include <ucontext.h>

#include "limits.c"

#define S2S_MOST 64
static struct {
    ucontext_t context;
    int done;
    long singles, pieces;
} s2s_net_team[S2S_MOST];
static char s2s_net_stacks[S2S_MOST][1 << 18];
static ucontext_t s2s_net_master;
static int s2s_net_me, s2s_net_size = 1, s2s_net_running;
static long s2s_net_single;
static void (*s2s_net_body)(void *);
static void *s2s_net_data;

static int s2s_net_wanted; /* what omp_set_num_threads was told */
int omp_get_num_threads(void) { return s2s_net_size; }
int omp_get_thread_num(void) { return s2s_net_me; }
/* As on the four nodelets that run what is emitted, where no time passes. */
void omp_set_num_threads(int most) { s2s_net_wanted = most; }
int omp_get_max_threads(void) { return s2s_net_wanted > 0 ? s2s_net_wanted : 4 * S2S_MOST; }
int omp_get_num_procs(void) { return 4 * S2S_MOST; }
double omp_get_wtime(void) { return 0; }
double omp_get_wtick(void) { return 1 / 150e6; }

static void s2s_net_thread(void)
{
    s2s_net_body(s2s_net_data);
    s2s_net_team[s2s_net_me].done = 1;
}

static void s2s_net_turns(void)
{
    int left = s2s_net_size;
    while (left)
        for (int t = s2s_net_size; t-- > 0;)
            if (!s2s_net_team[t].done) {
                s2s_net_me = t;
                swapcontext(&s2s_net_master, &s2s_net_team[t].context);
                left -= s2s_net_team[t].done;
            }
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    const char *wanted = getenv("S2S_NET_THREADS");
    int size = wanted ? atoi(wanted) : 1, me = s2s_net_me, before = s2s_net_size;
    int most = threads > 0 ? threads : s2s_net_wanted;
    if (most > 0 && most < size)
        size = most;
    if (s2s_net_running || size < 2 || size > S2S_MOST) {
        s2s_net_me = 0, s2s_net_size = 1;
        body(data);
        s2s_net_me = me, s2s_net_size = before;
        return;
    }
    s2s_net_size = size, s2s_net_body = body, s2s_net_data = data, s2s_net_running = 1;
    s2s_net_single = 0;
    for (int t = 0; t < size; t++) {
        getcontext(&s2s_net_team[t].context);
        s2s_net_team[t].context.uc_link = &s2s_net_master;
        s2s_net_team[t].context.uc_stack.ss_sp = s2s_net_stacks[t];
        s2s_net_team[t].context.uc_stack.ss_size = sizeof s2s_net_stacks[t];
        s2s_net_team[t].done = s2s_net_team[t].singles = s2s_net_team[t].pieces = 0;
        makecontext(&s2s_net_team[t].context, s2s_net_thread, 0);
    }
    s2s_net_turns();
    s2s_net_size = 1, s2s_net_me = 0, s2s_net_running = 0;
}

void GOMP_barrier(void)
{
    if (s2s_net_size > 1)
        swapcontext(&s2s_net_team[s2s_net_me].context, &s2s_net_master);
}
void GOMP_critical_start(void) {}
void GOMP_critical_end(void) {}
void GOMP_critical_name_start(void **name) {}
void GOMP_critical_name_end(void **name) {}
void GOMP_atomic_start(void) {}
void GOMP_atomic_end(void) {}
_Bool GOMP_single_start(void)
{
    if (s2s_net_size == 1)
        return 1;
    return s2s_net_team[s2s_net_me].singles++ == s2s_net_single ? (s2s_net_single++, 1) : 0;
}

/* Whatever the schedule: each thread has one piece. */
static long s2s_net_start, s2s_net_end, s2s_net_by;

static _Bool s2s_net_piece(long *from, long *until)
{
    long count = (s2s_net_end - s2s_net_start + s2s_net_by - (s2s_net_by > 0 ? 1 : -1)) / s2s_net_by;
    long each = (count + s2s_net_size - 1) / s2s_net_size, me = s2s_net_me * each;
    if (s2s_net_team[s2s_net_me].pieces++ || me >= count)
        return 0;
    *from = s2s_net_start + me * s2s_net_by;
    *until = s2s_net_start + (me + each < count ? me + each : count) * s2s_net_by;
    return 1;
}

static void s2s_net_loop(long start, long end, long by)
{
    s2s_net_start = start, s2s_net_end = end, s2s_net_by = by;
    s2s_net_team[s2s_net_me].pieces = 0;
}

#define S2S_SCHEDULE(name) \
    _Bool GOMP_loop_##name##_start(long s, long e, long by, long chunk, long *from, long *until) \
    { s2s_net_loop(s, e, by); return s2s_net_piece(from, until); } \
    _Bool GOMP_loop_##name##_next(long *from, long *until) { return s2s_net_piece(from, until); } \
    void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, long s, \
                                   long e, long by, long chunk, unsigned flags) \
    { s2s_net_loop(s, e, by); GOMP_parallel(body, data, threads, flags); }
S2S_SCHEDULE(static)
S2S_SCHEDULE(dynamic)
S2S_SCHEDULE(guided)
S2S_SCHEDULE(nonmonotonic_dynamic)
S2S_SCHEDULE(nonmonotonic_guided)
#define S2S_RUNTIME(name) \
    _Bool GOMP_loop_##name##_start(long s, long e, long by, long *from, long *until) \
    { s2s_net_loop(s, e, by); return s2s_net_piece(from, until); } \
    _Bool GOMP_loop_##name##_next(long *from, long *until) { return s2s_net_piece(from, until); } \
    void GOMP_parallel_loop_##name(void (*body)(void *), void *data, unsigned threads, long s, \
                                   long e, long by, unsigned flags) \
    { s2s_net_loop(s, e, by); GOMP_parallel(body, data, threads, flags); }
S2S_RUNTIME(runtime)
S2S_RUNTIME(nonmonotonic_runtime)
S2S_RUNTIME(maybe_nonmonotonic_runtime)
void GOMP_loop_end(void) { GOMP_barrier(); }
void GOMP_loop_end_nowait(void) {}
