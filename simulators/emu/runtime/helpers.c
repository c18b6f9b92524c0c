/* The helpers of emu_c_utils: threads where the elements are. */
#include "machine.h"

void s2s_emu_local_for_var(int site, long begin, long end, long grain,
                           void (*worker)(long, long, va_list), va_list all)
{
    s2s_frame frame = s2s_enter();
    va_list mine;
    grain = grain < 1 ? 1 : grain;
    for (long i = begin; i < end; i += grain) {
        s2s_thread child = s2s_spawn(&frame, site);
        va_copy(mine, all);
        worker(i, i + grain < end ? i + grain : end, mine);
        va_end(mine);
        s2s_end(&child, site);
    }
    s2s_sync(&frame, site);
}

void s2s_emu_local_for(int site, long begin, long end, long grain,
                       void (*worker)(long, long, va_list), ...)
{
    va_list all;
    va_start(all, worker);
    s2s_emu_local_for_var(site, begin, end, grain, worker, all);
    va_end(all);
}

static long local_grain(long size) { return size > 64 ? size / 64 : 1; }

static void set_range(long begin, long end, va_list arguments)
{
    long *array = va_arg(arguments, long *), value = va_arg(arguments, long);
    for (long i = begin; i < end; i++)
        *(long *)s2s_store(&array[i], 8, 0) = value;
}

void s2s_emu_local_for_set_long(int site, long *array, long size, long value)
{
    s2s_emu_local_for(site, 0, size, local_grain(size), set_range, array, value);
}

static void copy_range(long begin, long end, va_list arguments)
{
    long *to = va_arg(arguments, long *), *from = va_arg(arguments, long *);
    s2s_memcpy(0, to + begin, from + begin, 8 * (end - begin));
}

void s2s_emu_local_for_copy_long(int site, long *to, long *from, long size)
{
    s2s_emu_local_for(site, 0, size, local_grain(size), copy_range, to, from);
}

/* A thread on each nodelet spawns the workers of its elements. With `sums`, workers have a partial
   sum each, which lies where they start. */
typedef void worker_type(long *, long, long, va_list);
typedef void sum_type(long *, long, long, long *, va_list);

static long call(int site, long *array, long first, long last, worker_type *worker,
                 sum_type *summing, va_list all)
{
    va_list mine;
    long sum = 0;
    va_copy(mine, all);
    if (summing) {
        long *partial = s2s_variable(8, s2s_at);
        *partial = 0;
        summing(array, first, last, partial, mine);
        sum = *partial;
        s2s_drop(&partial);
    } else {
        worker(array, first, last, mine);
    }
    va_end(mine);
    return sum;
}

static long on_all_nodelets(int site, long *array, long size, long grain, worker_type *worker,
                            sum_type *summing, va_list all)
{
    s2s_frame frame = s2s_enter();
    long stride = (grain < 1 ? 1 : grain) * N, sum = 0;
    for (long k = 0; k < N && k < size; k++) {
        s2s_hint = s2s_owner(&array[k]);
        s2s_thread local = s2s_spawn(&frame, site);
        s2s_frame inner = s2s_enter();
        for (long first = k; first < size; first += stride) {
            s2s_thread child = s2s_spawn(&inner, site);
            long last = first + stride < size ? first + stride : size;
            sum += call(site, array, first, last, worker, summing, all);
            s2s_end(&child, site);
        }
        s2s_sync(&inner, site);
        s2s_end(&local, site);
    }
    s2s_sync(&frame, site);
    return sum;
}

void s2s_emu_1d_array_apply_var(int site, long *array, long size, long grain, worker_type *worker,
                                va_list all)
{
    on_all_nodelets(site, array, size, grain, worker, 0, all);
}

void s2s_emu_1d_array_apply(int site, long *array, long size, long grain, worker_type *worker, ...)
{
    va_list all;
    va_start(all, worker);
    on_all_nodelets(site, array, size, grain, worker, 0, all);
    va_end(all);
}

long s2s_emu_1d_array_reduce_sum_var(int site, long *array, long size, long grain, sum_type *worker,
                                     va_list all)
{
    return on_all_nodelets(site, array, size, grain, 0, worker, all);
}

long s2s_emu_1d_array_reduce_sum(int site, long *array, long size, long grain, sum_type *worker, ...)
{
    va_list all;
    va_start(all, worker);
    long sum = on_all_nodelets(site, array, size, grain, 0, worker, all);
    va_end(all);
    return sum;
}

static void set_words(long *array, long begin, long end, va_list arguments)
{
    long value = va_arg(arguments, long);
    for (long i = begin; i < end; i += N)
        *(long *)s2s_store(&array[i], 8, 0) = value;
}

void s2s_emu_1d_array_set_long(int site, long *array, long size, long value)
{
    s2s_emu_1d_array_apply(site, array, size, local_grain(size / N), set_words, value);
}
