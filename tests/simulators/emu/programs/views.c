/* Addresses and their views, as the machine's macros take them apart. */
#include <cilk/cilk.h>
#include <memoryweb/memoryweb.h>

static replicated long mine;

static long view(const void *p) { return ((long)p & __MW_VIEW_MASK__) >> __MW_VIEW_SHIFT__; }

static long *copy(long *p, long nodelet)
{
    return (long *)((unsigned long)p | 1ul << __MW_VIEW_SHIFT__ | nodelet << __MW_NODE_BITS__ |
                    ((unsigned long)p & __MW_VIEW_SHARED__));
}

static long node_of(const void *p)
{
    return ((unsigned long)p & __MW_VIEW1_NODE_MASK__) >> __MW_NODE_BITS__;
}

int main(void)
{
    long *striped = mw_malloc1dlong(20), **rows = mw_malloc2d(20, 16), wrong = 0;
    wrong += view(&mine) != 0 || view(striped) != 2 || view(rows) != 2 || view(rows[5]) != 1;
    for (long i = 0; i < NODELETS(); i++) {
        wrong += copy(&mine, i) != mw_get_nth(&mine, i);
        wrong += node_of(rows[i]) != i || node_of(copy(&mine, i)) != i;
        *copy(&mine, i) = i + 1;
    }
    MIGRATE(rows[3]);
    wrong += mine != 4;
    void *near = mw_localmalloc(64, rows[6]);
    wrong += view(near) != 1 || node_of(near) != 6 || near == copy(&mine, 6);
    return wrong;
}
