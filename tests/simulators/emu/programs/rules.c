/* One region for each rule of the machine; the thread is on nodelet 0 at the start of each. */
#include <cilk/cilk.h>
#include <emu_c_utils/emu_c_utils.h>
#include <memoryweb/memoryweb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    long first, second;
    int small[3];
};

typedef struct {
    struct pair inner;
    struct node *next;
} wide;

replicated long everywhere = 7;
replicated long *table;
static long plain = 5;
static const char *const words[] = {"zero", "one", "two"};

static long twice(long x) { return 2 * x; }
static long first_of(struct pair p) { return p.first; }
static void bump(long *sum) { *sum += 1; }
static void read_one(long *p, long *into) { REMOTE_ADD(into, *p); }
static long tell(long *p) { return *p; }
static long from_nodelet(long nodelet) { return 100 * nodelet; }

static void fill(void *copy, long nodelet)
{
    long *mine = copy;
    for (long i = 0; i < 4; i++)
        mine[i] = 10 * nodelet + i;
}

static void add_range(long begin, long end, va_list arguments)
{
    long *sum = va_arg(arguments, long *);
    REMOTE_ADD(sum, end - begin);
}

static void increment(long *array, long begin, long end, va_list arguments)
{
    long by = va_arg(arguments, long);
    for (long i = begin; i < end; i += NODELETS())
        array[i] += by;
}

static void partial(long *array, long begin, long end, long *sum, va_list arguments)
{
    for (long i = begin; i < end; i += NODELETS())
        *sum += array[i];
}

static long tree(long *a, long begin, long end)
{
    if (end - begin == 1)
        return a[begin];
    long middle = (begin + end) / 2;
    long left = cilk_spawn tree(a, begin, middle);
    long right = tree(a, middle, end);
    cilk_sync;
    return left + right;
}

static void expect(bool holds, int line)
{
    if (!holds) {
        printf("wrong in line %d\n", line);
        exit(1);
    }
}

#define RULE(name) \
    hooks_region_end(); \
    MIGRATE(&plain); \
    hooks_region_begin(name)
#define EXPECT(condition) expect(condition, __LINE__)

static int rules(void)
{
    const long n = 8;
    long *a = mw_malloc1dlong(n), x = 0, y = 0;
    struct pair **blocks = mw_malloc2d(n, sizeof(struct pair));

    RULE("store");
    for (long i = 0; i < n; i++)
        a[i] = i;

    RULE("wave");
    for (long i = 0; i < n; i++)
        x += a[i];
    EXPECT(x == 28);

    RULE("load and back");
    y = a[3] + plain;
    EXPECT(y == 8);

    RULE("compound assignment");
    a[2] += 1;
    a[2]--;
    EXPECT(a[2] == 2);

    RULE("operands from left to right");
    y = a[1] * a[2] + a[1];
    EXPECT(y == 3);

    RULE("right side first");
    a[1] = a[3];
    a[1] = 1;

    RULE("atomic");
    y = ATOMIC_ADDMS(&a[1], 4);
    EXPECT(y == 1 && ATOMIC_ADDM(&a[1], 4) == 9 && ATOMIC_ADD(&a[1], 1) == 10);
    EXPECT(ATOMIC_ADDS(&a[1], 1) == 10 && a[1] == 1);
    EXPECT(ATOMIC_MAXMS(&a[1], 9) == 1 && ATOMIC_MINM(&a[1], 1) == 1);
    EXPECT(ATOMIC_CAS(&a[1], 6, 1) == 1 && ATOMIC_CAS(&a[1], 7, 1) == 6);
    EXPECT(ATOMIC_SWAP(&a[1], 1) == 6 && ATOMIC_XORM(&a[1], 3) == 2 && ATOMIC_ORM(&a[1], 1) == 3);
    EXPECT(ATOMIC_ANDMS(&a[1], 1) == 3);

    RULE("remote");
    REMOTE_ADD(&a[1], 1);
    REMOTE_MAX(&a[1], 5);
    REMOTE_MIN(&a[1], 1);
    REMOTE_ADD(&a[0], 0);

    RULE("blocks");
    for (long i = 0; i < n; i++)
        blocks[i]->first = i;
    EXPECT(blocks[5]->first == 5);

    RULE("index without reading");
    for (long i = 0; i < n; i++) {
        struct pair *block = mw_arrayindex(blocks, i, n, sizeof *block);
        block->second = mw_ptrtonodelet(block);
    }

    RULE("structure in registers");
    struct pair copy = *blocks[6];
    MIGRATE(&plain);
    EXPECT(copy.first == 6 && copy.second == 2 && first_of((struct pair){.first = 3}) == 3);

    RULE("variable in the frame");
    long sum = 0;
    MIGRATE(&a[1]);
    bump(&sum);
    MIGRATE(&a[1]);
    EXPECT(sum == 1);

    RULE("array in the frame");
    long local[] = {1, 2, 3};
    char text[8] = "abc";
    MIGRATE(&a[2]);
    EXPECT(local[1] == 2 && sizeof local == 24 && text[1] == 'b' && strlen(text) == 3);

    RULE("static data");
    MIGRATE(&a[2]);
    EXPECT(plain == 5 && words[1][0] == 'o');

    RULE("replicated");
    for (long k = 0; k < NODELETS(); k++) {
        MIGRATE(&a[k]);
        x = NODE_ID();
        EXPECT(everywhere == 7 && x == k);
        everywhere = k;
        EXPECT(everywhere == k);
    }

    RULE("copies");
    mw_replicated_init(&everywhere, 4);
    MIGRATE(&a[3]);
    EXPECT(everywhere == 4);
    mw_replicated_init_multiple(&everywhere, from_nodelet);
    EXPECT(everywhere == 300);
    MIGRATE(&a[0]);
    EXPECT(*(long *)mw_get_nth(&everywhere, 2) == 200);
    EXPECT(*(long *)mw_get_localto(&everywhere, &a[1]) == 100);

    RULE("replicated memory");
    long *repl = mw_mallocrepl(4 * sizeof(long));
    mw_replicated_init_generic(repl, fill);
    mw_replicated_init((long *)&table, (long)repl);
    MIGRATE(&a[2]);
    EXPECT(table[3] == 23);

    RULE("local allocation");
    long *here = mw_localmalloc(8, &a[2]);
    *here = 1;
    EXPECT(NODE_ID() == 2 && mw_ptrtonodelet(here) == 2);
    mw_localfree(here);

    RULE("spawn here");
    y = 0;
    cilk_spawn read_one(&a[1], &y);
    cilk_spawn read_one(&a[2], &y);
    cilk_sync;
    EXPECT(y == 3);

    RULE("spawn there");
    y = 0;
    cilk_spawn_at(&a[1]) read_one(&a[1], &y);
    cilk_migrate_hint(&a[2]);
    cilk_spawn read_one(&a[2], &y);
    cilk_sync;
    EXPECT(y == 3);

    RULE("spawn from elsewhere");
    long seen = a[3];
    long told = cilk_spawn tell(&a[seen]);
    y = 0;
    cilk_sync;
    EXPECT(told == 3);

    RULE("spawn before a sync");
    told = cilk_spawn tell(&a[3]);
    cilk_sync;
    EXPECT(told == 3);

    RULE("tree");
    EXPECT(tree(a, 0, 8) == 28);

    RULE("cilk_for");
    y = 0;
#pragma cilk grainsize = 4
    cilk_for (long i = 0; i < n; i++)
        REMOTE_ADD(&y, a[i]);
    EXPECT(y == 28);

    RULE("cilk_for downwards");
    y = 0;
    cilk_for (long i = n - 1; i >= 0; i -= 2) {
        if (i == 3)
            continue;
        ATOMIC_ADDMS(&y, twice(i));
    }
    EXPECT(y == 26);

    RULE("local for");
    y = 0;
    emu_local_for(0, 10, 4, add_range, &y);
    EXPECT(y == 10);

    RULE("apply");
    emu_1d_array_apply(a, n, 1, increment, 1l);

    RULE("reduce");
    EXPECT(emu_1d_array_reduce_sum(a, n, 8, partial) == 36);

    RULE("library");
    long *other = mw_malloc1dlong(n);
    memcpy(other, a, n * sizeof(long));
    memset(a, 0, 2 * sizeof(long));
    RULE("end");
    EXPECT(other[7] == 8 && a[1] == 0 && a[2] == 3);
    return 3;
}

/* The first thread takes what it reads home; the rules here are those of all others. */
int main(void)
{
    int status = cilk_spawn rules();
    int waited = 0;
    cilk_sync;
    return status + waited;
}
