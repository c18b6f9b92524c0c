/* Drivers of suites whose cases are single loops: a server that runs one loop at a time.
 *
 * Requests come on standard input, a line each, and get one line of answer on the original
 * standard output; what the suite itself prints goes nowhere.
 *
 *   time NAME SWEEPS         ->  seconds, result: on the suite's own data; processor time, which
 *                                other programs on the machine change little
 *   check NAME SEED SIGNED   ->  hash, then two sums of each array: on random data, after each of
 *                                the first CHECKED_SWEEPS sweeps; with SIGNED a third is negative
 *
 * A driver provides the loops_* functions below. Where a loop ends the program, the answer to
 * `check` is what it left behind; `time` then gets no answer.
 */
#ifndef S2S_LOOPS_H
#define S2S_LOOPS_H

#include "bench.h"
#include <setjmp.h>
#include <unistd.h>

enum { CHECKED_SWEEPS = 3, MOST_ARRAYS = 24, LONGEST_REQUEST = 128 };

typedef struct {
    float *start;
    size_t count;
} loops_array;

/* Provided by the driver: the arrays that loops work on, how a loop is called by its name, and
 * how it is timed. `loops_call` returns 0 where there is no such loop. */
static int loops_arrays(loops_array arrays[MOST_ARRAYS]);
static int loops_call(const char *name, double *result);
static int loops_time(const char *name, int sweeps, double *seconds, double *result);

static struct {
    jmp_buf done;
    int active, sweeps;
    bench_digest all, each[MOST_ARRAYS];
} loops_state;

static inline double loops_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void loops_digest(void)
{
    loops_array arrays[MOST_ARRAYS];
    int count = loops_arrays(arrays);
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < arrays[k].count; i++) {
            bench_add(&loops_state.all, arrays[k].start[i]);
            bench_add(&loops_state.each[k], arrays[k].start[i]);
        }
}

/* To be called after each sweep of a loop under `check`, with the scalar that it computed. */
static inline void loops_swept(double scalar)
{
    if (!loops_state.active)
        return;
    bench_add(&loops_state.all, scalar);
    bench_add(&loops_state.each[MOST_ARRAYS - 1], scalar);
    loops_digest();
    if (++loops_state.sweeps == CHECKED_SWEEPS)
        longjmp(loops_state.done, 1);
}

/* To be called in the place of exit. */
static inline void loops_exit(void)
{
    if (!loops_state.active)
        _exit(1);
    loops_digest();
    longjmp(loops_state.done, 2);
}

/* Numbers from 0.5 to 1.5, or from -0.5 to 1. */
static inline void loops_fill(int seed, int is_signed)
{
    loops_array arrays[MOST_ARRAYS];
    int count = loops_arrays(arrays);
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < arrays[k].count; i++) {
            double number = bench_random((uint64_t)seed * MOST_ARRAYS + (uint64_t)k, i);
            arrays[k].start[i] = (float)(is_signed ? 1.5 * number - 0.5 : number + 0.5);
        }
}

/* The same number everywhere: large enough that no sweep soon makes it a denormal one. */
static inline void loops_fill_with_ones(void)
{
    loops_array arrays[MOST_ARRAYS];
    int count = loops_arrays(arrays);
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < arrays[k].count; i++)
            arrays[k].start[i] = 1.0f;
}

static inline int loops_check(const char *name, FILE *answers)
{
    double result = 0.0;
    int known = 1;
    memset(loops_state.each, 0, sizeof loops_state.each);
    memset(&loops_state.all, 0, sizeof loops_state.all);
    loops_state.sweeps = 0;
    loops_state.active = 1;
    switch (setjmp(loops_state.done)) {
    case 0:
        known = loops_call(name, &result);
        bench_add(&loops_state.all, result);
        break;
    case 2:
        bench_add(&loops_state.all, 1.0);
        break;
    }
    loops_state.active = 0;
    if (known) {
        fprintf(answers, "%016llx", (unsigned long long)loops_state.all.hash);
        for (int k = 0; k < MOST_ARRAYS; k++)
            fprintf(answers, " %.9e %.9e", loops_state.each[k].plain, loops_state.each[k].weighted);
        fprintf(answers, "\n");
    }
    return known;
}

static int loops_serve(void)
{
    char line[LONGEST_REQUEST], name[LONGEST_REQUEST];
    int first, second;
    FILE *answers = fdopen(dup(1), "w");
    if (!answers || !freopen("/dev/null", "w", stdout))
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        int known = 0;
        if (sscanf(line, "time %s %d", name, &first) == 2) {
            double seconds = 0.0, result = 0.0;
            known = loops_time(name, first, &seconds, &result);
            if (known)
                fprintf(answers, "%.9f %.9e\n", seconds, result);
        } else if (sscanf(line, "check %s %d %d", name, &first, &second) == 3) {
            loops_fill(first, second);
            known = loops_check(name, answers);
        }
        if (!known)
            return 2;
        fflush(answers);
    }
    return 0;
}

#endif
