/* Calls the loops of TSVC_2 by their names, with the arguments that the suite's main gives them.
 *
 * calls.h is made from the suite's main: a line LOOP(name, argument) for each call. The linker hands
 * calls of four functions to this file (-Wl,--wrap): `dummy`, which the suite calls after each
 * sweep; `initialise_arrays`, since data to check with are other ones; `gettimeofday`, in whose place
 * processor time is taken; and `exit`, which one of the loops calls.
 */
#include "../loops.h"

#include "common.h"
#include "array_defs.h"

#define LOOP(name, ...) real_t name(struct args_t *);
#include "calls.h"
#undef LOOP

static int *ip;
static real_t s1, s2;
static real_t *own_xx; /* some loops set the pointer to elsewhere and leave it there */

int __wrap_dummy(real_t a_[LEN_1D], real_t b_[LEN_1D], real_t c_[LEN_1D], real_t d_[LEN_1D],
                 real_t e_[LEN_1D], real_t aa_[LEN_2D][LEN_2D], real_t bb_[LEN_2D][LEN_2D],
                 real_t cc_[LEN_2D][LEN_2D], real_t s)
{
    (void)a_, (void)b_, (void)c_, (void)d_, (void)e_, (void)aa_, (void)bb_, (void)cc_;
    loops_swept(s);
    return 0;
}

int __real_initialise_arrays(const char *name);

int __wrap_initialise_arrays(const char *name)
{
    return loops_state.active ? 0 : __real_initialise_arrays(name);
}

int __wrap_gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    double seconds = loops_now();
    (void)zone;
    now->tv_sec = (time_t)seconds;
    now->tv_usec = (suseconds_t)(1e6 * (seconds - (double)now->tv_sec));
    return 0;
}

__attribute__((noreturn)) void __wrap_exit(int status)
{
    loops_exit();
    _exit(status);
}

static int loops_arrays(loops_array arrays[MOST_ARRAYS])
{
    const loops_array all[] = {
        {a, LEN_1D}, {b, LEN_1D}, {c, LEN_1D}, {d, LEN_1D}, {e, LEN_1D}, {x, LEN_1D},
        {own_xx, LEN_1D}, {aa[0], LEN_2D * LEN_2D}, {bb[0], LEN_2D * LEN_2D},
        {cc[0], LEN_2D * LEN_2D}, {tt[0], LEN_2D * LEN_2D}, {flat_2d_array, LEN_2D * LEN_2D},
    };
    memcpy(arrays, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* The variables of the suite's main that its calls name. */
static int call(const char *wanted, struct args_t *args, double *result)
{
    int n1 = 1, n3 = 1;
    (void)n1, (void)n3;
    xx = own_xx;
#define LOOP(name, ...)                                                                            \
    if (strcmp(wanted, #name) == 0) {                                                              \
        args->arg_info = (void *)(__VA_ARGS__);                                                    \
        *result = name(args);                                                                      \
        return 1;                                                                                  \
    }
#include "calls.h"
#undef LOOP
    return 0;
}

static int loops_call(const char *name, double *result)
{
    struct args_t args;
    return call(name, &args, result);
}

/* The number of sweeps is the one that the suite was compiled with. What the suite does not set
 * for a loop would be left from another one.
 */
static int loops_time(const char *name, int sweeps, double *seconds, double *result)
{
    struct args_t args;
    (void)sweeps;
    loops_fill_with_ones();
    if (!call(name, &args, result))
        return 0;
    *seconds = (double)(args.t2.tv_sec - args.t1.tv_sec) +
               1e-6 * (double)(args.t2.tv_usec - args.t1.tv_usec);
    return 1;
}

int main(void)
{
    init(&ip, &s1, &s2);
    own_xx = xx;
    return loops_serve();
}
