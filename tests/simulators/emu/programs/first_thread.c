/* What the first thread reads elsewhere it takes home, to its frame. */
#include <cilk/cilk.h>
#include <emu_c_utils/emu_c_utils.h>
#include <memoryweb/memoryweb.h>
#include <stdlib.h>

static long add_to(long *sum, long value)
{
    REMOTE_ADD(sum, value);
    return value;
}

int main(int argc, char **argv)
{
    const long n = 8;
    long *a = mw_malloc1dlong(n), **rows = mw_malloc2d(n, 4 * sizeof(long)), sum = 0;

    hooks_region_begin("stores");
    for (long i = 0; i < n; i++)
        a[i] = i;
    hooks_region_end();

    hooks_region_begin("reads");
    for (long i = 0; i < n; i++)
        sum += a[i];
    hooks_region_end();

    hooks_region_begin("one pointer for a row");
    for (long i = 0; i < n; i++)
        for (long j = 0; j < 4; j++)
            rows[i][j] = i + j;
    hooks_region_end();

    hooks_region_begin("read again after a store");
    a[1] = a[1] + a[1];
    a[1] = a[1] + a[1];
    hooks_region_end();

    hooks_region_begin("atomics");
    ATOMIC_ADDMS(&a[2], 1);
    ATOMIC_ADDMS(&a[2], 1);
    hooks_region_end();

    hooks_region_begin("threads at their rows");
    for (long i = 0; i < n; i++) {
        cilk_spawn_at(rows[i]) add_to(rows[i], 1);
    }
    cilk_sync;
    hooks_region_end();

    hooks_region_begin("pieces of a loop");
    cilk_for (long i = 0; i < 256; i++)
        REMOTE_ADD(&sum, 1);
    hooks_region_end();

    hooks_region_begin("its last piece");
#pragma cilk grainsize = 4
    cilk_for (long i = 0; i < n; i++)
        REMOTE_ADD(&sum, a[i]);
    hooks_region_end();
    return sum != 28 + 256 + 33;
}
