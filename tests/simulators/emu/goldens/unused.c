#include <cilk/cilk.h>
#include <memoryweb/memoryweb.h>
#include <stdio.h>
struct tally { long sum, top; };
replicated struct tally all;

static void note(long *row)
{
    ATOMIC_ADDM(&all.sum, row[0]);
    ATOMIC_MAXM(&all.top, row[1]);
}

int main(void)
{
    long **rows = mw_malloc2d(4, 2 * sizeof(long)), sum = 0, top = 0;
    for (long i = 0; i < 4; i++)
        rows[i][0] = rows[i][1] = i + 1;
    for (long i = 0; i < 4; i++) {
        cilk_spawn_at (rows[i]) note(rows[i]);
    }
    cilk_sync;
    for (long i = 0; i < 4; i++) {
        struct tally *one = mw_get_nth(&all, i);
        sum += one->sum;
        if (one->top > top)
            top = one->top;
    }
    PRINT
    return 0;
}
