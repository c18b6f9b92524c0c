/* OpenMP whose threads take turns on one processor: each goes on until a mark in the text, now and
   then, lets another one go on. The same turns in every run. */
#include <stdlib.h>
#include <ucontext.h>

#define THREADS 4
#define STACK (8u << 20)

static struct {
    ucontext_t context;
    char *stack;
    int done;
    long barriers;
} team[THREADS];
static ucontext_t caller;
static int running, me, undisturbed;
static unsigned chance;
static long left, taken;
static void (*task)(void *);
static void *shared;

int omp_get_num_threads(void) { return running ? THREADS : 1; }
int omp_get_thread_num(void) { return running ? me : 0; }

static unsigned drawn(unsigned below)
{
    chance = chance * 1664525u + 1013904223u;
    return (chance >> 16) % below;
}

/* Somebody else goes on, if there is anybody. The turns become longer with their number. */
static void give(void)
{
    const int from = me, first = (int)drawn(THREADS);
    left = 1 + drawn(4) + taken++ / 64;
    for (int k = 0; k < THREADS; k++) {
        const int to = (first + k) % THREADS;
        if (to != from && !team[to].done) {
            me = to;
            swapcontext(&team[from].context, &team[to].context);
            return;
        }
    }
}

void s2s_net_turn(void)
{
    if (running && !undisturbed && --left <= 0)
        give();
}

static void thread(void)
{
    task(shared);
    team[me].done = 1;
    give();
}

static void get_stack(int number)
{
    if (team[number].stack == NULL)
        team[number].stack = malloc(STACK);
    if (team[number].stack == NULL)
        exit(4);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    if (running) {
        body(data);
        return;
    }
    task = body, shared = data, chance = 1, left = 1, taken = 0, undisturbed = 0;
    for (int t = 0; t < THREADS; t++) {
        get_stack(t);
        getcontext(&team[t].context);
        team[t].context.uc_link = &caller;
        team[t].context.uc_stack.ss_sp = team[t].stack;
        team[t].context.uc_stack.ss_size = STACK;
        team[t].done = team[t].barriers = 0;
        makecontext(&team[t].context, thread, 0);
    }
    running = 1, me = THREADS - 1;
    swapcontext(&caller, &team[me].context);
    running = 0;
}

static int is_behind(int other)
{
    return !team[other].done && team[other].barriers < team[me].barriers;
}

void GOMP_barrier(void)
{
    if (!running)
        return;
    team[me].barriers++;
    for (int t = 0; t < THREADS; t++)
        while (is_behind(t))
            give();
}

void GOMP_critical_start(void) { undisturbed++; }
void GOMP_critical_end(void) { undisturbed--; }
void GOMP_critical_name_start(void **name) { undisturbed++; }
void GOMP_critical_name_end(void **name) { undisturbed--; }
void GOMP_atomic_start(void) { undisturbed++; }
void GOMP_atomic_end(void) { undisturbed--; }
