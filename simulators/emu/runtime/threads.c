/* Threads: where they start and end, and how long what waits for each other takes. */
#include "machine.h"

int s2s_at, s2s_seen;
int s2s_hint = -1;
long s2s_clock, s2s_acknowledged;
struct s2s_counters s2s_counters[N];

long s2s_THREAD_ID(int site) { return thread; }

/* Before a thread leaves, its remote operations are answered. */
__attribute__((cold)) void s2s_migrate(int to, int site)
{
    s2s_FENCE(site);
    s2s_clock += C_MIGRATION;
    s2s_counters[s2s_at].outbound++;
    traffic[s2s_at][to]++;
    s2s_sites[site]++;
    s2s_at = to;
}

int s2s_is_framed = S2S_GOES_HOME;
s2s_address s2s_kept[S2S_KEPT];

/* An address in a register: the last one that a place in the program has loaded, which is the same
   in each iteration of a loop, or one of the few loaded last by any, as in one statement. */
#define PLACES 1024
static s2s_address last[PLACES];
static long fetched_when[S2S_KEPT];
long s2s_fetched;

static int is_kept(s2s_address p, int site)
{
    int slot = s2s_slot(p);
    int recently = s2s_fetched - fetched_when[slot] < S2S_REGISTERS;
    return s2s_kept[slot] == p && (recently || last[site % PLACES] == p);
}

/* The first thread goes to what it reads, and home with it. */
void s2s_fetch(s2s_address p, s2s_size bytes, int site)
{
    int home = s2s_at, slot = s2s_slot(p);
    if (is_kept(p, site))
        return;
    s2s_migrate(s2s_owner(p), site);
    s2s_counters[s2s_at].loads += S2S_WORDS(bytes);
    s2s_clock += C_LOAD * S2S_WORDS(bytes);
    s2s_migrate(home, site);
    s2s_kept[slot] = last[site % PLACES] = p;
    fetched_when[slot] = ++s2s_fetched;
}

static void begin(s2s_frame *frame, s2s_thread *child, int to, long delay)
{
    *child = (s2s_thread){frame, s2s_clock, s2s_acknowledged, thread, s2s_clock + delay,
                          s2s_is_framed};
    s2s_is_framed = 0;
    s2s_counters[to].created++;
    s2s_clock += delay;
    if (to != s2s_at) {
        remote_spawns++;
        s2s_clock += C_MIGRATION;
    }
    s2s_acknowledged = 0;
    thread = ++threads;
    depth++;
    s2s_at = to;
}

s2s_thread s2s_spawn(s2s_frame *frame, int site)
{
    s2s_thread child;
    int to = s2s_hint;
    s2s_hint = -1;
    s2s_reach(frame->home, site);
    s2s_clock += C_SPAWN;
    begin(frame, &child, to < 0 ? s2s_at : to, C_START);
    return child;
}

/* The child goes to its parent's frame to say that it is done; the spawner goes on from where it
   spawned. */
void s2s_end(s2s_thread *child, int site)
{
    s2s_reach(child->frame->home, site);
    s2s_FENCE(site);
    s2s_clock += C_END;
    s2s_counters[s2s_at].died++;
    s2s_counters[s2s_at].atomics++;
    lifetimes += s2s_clock - child->began;
    if (child->frame->latest < s2s_clock)
        child->frame->latest = s2s_clock;
    s2s_clock = child->clock;
    s2s_acknowledged = child->acknowledged;
    thread = child->id;
    s2s_is_framed = child->is_framed;
    depth--;
}

void s2s_sync(s2s_frame *frame, int site)
{
    s2s_reach(frame->home, site);
    if (s2s_clock < frame->latest)
        s2s_clock = frame->latest;
    if (depth == 0 && frame->latest)
        measure();
    frame->latest = 0;
}

void s2s_leave(s2s_frame *frame)
{
    if (frame->latest)
        s2s_sync(frame, 0);
}

s2s_loop s2s_loop_begin(s2s_frame *frame, long count, long grain, int site)
{
    long levels = 0;
    if (grain <= 0)
        grain = (count + S2S_PIECES - 1) / S2S_PIECES;
    grain = grain < 1 ? 1 : grain > 2048 ? 2048 : grain;
    while (grain << levels < count)
        levels++;
    s2s_reach(frame->home, site);
    return (s2s_loop){.frame = frame, .todo = count, .grain = grain, .site = site,
                      .delay = levels * (C_SPAWN + C_START), .is_framed = s2s_is_framed};
}

void s2s_loop_next(s2s_loop *loop)
{
    if (loop->left-- > 0)
        return;
    if (loop->running)
        s2s_end(&loop->child, loop->site);
    loop->running = loop->todo > loop->grain;
    if (loop->running)
        begin(loop->frame, &loop->child, s2s_at, loop->delay);
    s2s_is_framed = 0;
    loop->todo -= loop->grain;
    loop->left = loop->grain - 1;
}

void s2s_loop_end(s2s_loop *loop)
{
    if (loop->running)
        s2s_end(&loop->child, loop->site);
    s2s_is_framed = loop->is_framed;
    s2s_sync(loop->frame, loop->site);
}

/* The program's time: between two points where the first thread is alone it is the longest chain
   of what waits for each other, or what the busiest nodelet needs, or what all threads need that
   share the contexts. */
static long measured_lifetimes;
static struct s2s_counters measured[N];

static double larger(double a, double b) { return a > b ? a : b; }

static double busiest(void)
{
    double most = 0;
    for (int k = 0; k < N; k++) {
        struct s2s_counters *now = &s2s_counters[k], *then = &measured[k];
        double words = now->loads - then->loads + now->stores - then->stores;
        double atomics = now->atomics - then->atomics;
        double core = ((double)C_OPERATION * (now->work - then->work) + words + atomics) / S2S_CORES;
        double engine = (double)C_ENGINE * (now->outbound - then->outbound)
                        + (double)C_PACKET * (now->received - then->received);
        most = larger(most, larger(engine, larger(core, C_CHANNEL * (words + 2 * atomics))));
    }
    return most;
}

static void measure(void)
{
    double chain = s2s_clock - measured_clock, nodelet = busiest();
    double lived = chain + lifetimes - measured_lifetimes;
    double contexts = lived / (N * S2S_CORES * S2S_CONTEXTS);
    double longest = larger(chain, larger(nodelet, contexts));
    *(longest == chain ? &by_chain : longest == nodelet ? &by_nodelet : &by_contexts) += longest;
    elapsed += longest;
    memcpy(measured, s2s_counters, sizeof measured);
    measured_clock = s2s_clock;
    measured_lifetimes = lifetimes;
}
