/* Arrays of elements of any size, a chunk of neighbours on each nodelet, and threads at them. */
#ifndef S2S_EMU_CHUNKED_ARRAY_H
#define S2S_EMU_CHUNKED_ARRAY_H

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <cilk/cilk.h>
#include <emu_c_utils/emu_grain_helpers.h>

typedef struct emu_chunked_array {
    void **data; /* of mw_malloc2d */
    long num_chunks;
    long element_size;
    long log2_elements_per_chunk;
    long num_elements;
} emu_chunked_array;

typedef void s2s_chunk_worker(emu_chunked_array *, long, long, va_list);
typedef void s2s_chunk_summer(emu_chunked_array *, long, long, long *, va_list);

/* `self` is replicated: a global, or of mw_mallocrepl. */
static void emu_chunked_array_replicated_init(emu_chunked_array *self, long elements, long size)
{
    long chunks = NODELETS(), log2 = 0;
    while (chunks << log2 < elements)
        log2++;
    mw_replicated_init((long *)&self->data, (long)mw_malloc2d(chunks, size << log2));
    mw_replicated_init(&self->num_chunks, chunks);
    mw_replicated_init(&self->element_size, size);
    mw_replicated_init(&self->log2_elements_per_chunk, log2);
    mw_replicated_init(&self->num_elements, elements);
}

static void emu_chunked_array_replicated_deinit(emu_chunked_array *self) { mw_free(self->data); }

static emu_chunked_array *emu_chunked_array_replicated_new(long elements, long size)
{
    emu_chunked_array *self = mw_mallocrepl(sizeof(emu_chunked_array));
    emu_chunked_array_replicated_init(self, elements, size);
    return self;
}

static void emu_chunked_array_replicated_free(emu_chunked_array *self)
{
    emu_chunked_array_replicated_deinit(self);
    mw_free(self);
}

static long emu_chunked_array_size(emu_chunked_array *self) { return self->num_elements; }

static void *emu_chunked_array_index(emu_chunked_array *self, long i)
{
    long log2 = self->log2_elements_per_chunk, size = self->element_size;
    char *chunk = mw_arrayindex(self->data, i >> log2, self->num_chunks, size << log2);
    return chunk + (i & ((1L << log2) - 1)) * size;
}

/* One piece of a chunk. */
static void s2s_chunk_piece(emu_chunked_array *array, long begin, long end, void *worker,
                            long *sum, va_list arguments)
{
    va_list mine;
    va_copy(mine, arguments);
    if (sum)
        ((s2s_chunk_summer *)worker)(array, begin, end, sum, mine);
    else
        ((s2s_chunk_worker *)worker)(array, begin, end, mine);
    va_end(mine);
}

/* All pieces of a chunk, and what they sum up. */
static void s2s_chunk_here(emu_chunked_array *array, long begin, long end, long grain,
                           void *worker, long *sum, va_list arguments)
{
    long *partial = 0;
    if (sum) {
        partial = mw_localmalloc(sizeof(long), emu_chunked_array_index(array, begin));
        *partial = 0;
    }
    for (long first = begin; first < end; first += grain) {
        long last = first + grain < end ? first + grain : end;
        cilk_spawn s2s_chunk_piece(array, first, last, worker, partial, arguments);
    }
    cilk_sync;
    if (sum) {
        REMOTE_ADD(sum, *partial);
        mw_localfree(partial);
    }
}

static void s2s_chunks_apply(emu_chunked_array *array, long grain, void *worker, long *sum,
                             va_list arguments)
{
    long size = array->num_elements, many = 1L << array->log2_elements_per_chunk;
    grain = grain < 1 ? 1 : grain;
    for (long begin = 0; begin < size; begin += many) {
        long end = begin + many < size ? begin + many : size;
        cilk_spawn_at(emu_chunked_array_index(array, begin))
            s2s_chunk_here(array, begin, end, grain, worker, sum, arguments);
    }
    cilk_sync;
}

/* The same by halving: the upper half of the chunks goes to a thread that starts there. */
static void s2s_chunks_halved(emu_chunked_array *array, long begin, long end, long grain,
                              s2s_chunk_worker *worker, va_list arguments)
{
    long many = 1L << array->log2_elements_per_chunk;
    while (end - begin > many) {
        long middle = begin + ((end - begin + many - 1) / many + 1) / 2 * many;
        cilk_spawn_at(emu_chunked_array_index(array, middle))
            s2s_chunks_halved(array, middle, end, grain, worker, arguments);
        end = middle;
    }
    s2s_chunk_here(array, begin, end, grain, worker, 0, arguments);
    cilk_sync;
}

static void emu_chunked_array_apply_var(emu_chunked_array *array, long grain,
                                        s2s_chunk_worker *worker, va_list arguments)
{
    s2s_chunks_apply(array, grain, worker, 0, arguments);
}

static void emu_chunked_array_apply(emu_chunked_array *array, long grain,
                                    s2s_chunk_worker *worker, ...)
{
    va_list arguments;
    va_start(arguments, worker);
    s2s_chunks_apply(array, grain, worker, 0, arguments);
    va_end(arguments);
}

static void emu_chunked_array_apply_recursive_var(emu_chunked_array *array, long grain,
                                                  s2s_chunk_worker *worker, va_list arguments)
{
    s2s_chunks_halved(array, 0, array->num_elements, grain < 1 ? 1 : grain, worker, arguments);
}

static void emu_chunked_array_apply_recursive(emu_chunked_array *array, long grain,
                                              s2s_chunk_worker *worker, ...)
{
    va_list arguments;
    va_start(arguments, worker);
    emu_chunked_array_apply_recursive_var(array, grain, worker, arguments);
    va_end(arguments);
}

static long emu_chunked_array_reduce_sum_var(emu_chunked_array *array, long grain,
                                             s2s_chunk_summer *worker, va_list arguments)
{
    long sum = 0;
    s2s_chunks_apply(array, grain, worker, &sum, arguments);
    return sum;
}

static long emu_chunked_array_reduce_sum(emu_chunked_array *array, long grain,
                                         s2s_chunk_summer *worker, ...)
{
    va_list arguments;
    va_start(arguments, worker);
    long sum = emu_chunked_array_reduce_sum_var(array, grain, worker, arguments);
    va_end(arguments);
    return sum;
}

static void s2s_chunk_set(emu_chunked_array *array, long begin, long end, va_list arguments)
{
    long *elements = emu_chunked_array_index(array, begin), value = va_arg(arguments, long);
    for (long i = 0; i < end - begin; i++)
        elements[i] = value;
}

static void emu_chunked_array_set_long(emu_chunked_array *array, long value)
{
    emu_chunked_array_apply(array, GLOBAL_GRAIN(array->num_elements), s2s_chunk_set, value);
}

static void s2s_chunk_sum(emu_chunked_array *array, long begin, long end, long *sum,
                          va_list arguments)
{
    long *elements = emu_chunked_array_index(array, begin), mine = 0;
    for (long i = 0; i < end - begin; i++)
        mine += elements[i];
    REMOTE_ADD(sum, mine);
}

static long emu_chunked_array_reduce_sum_long(emu_chunked_array *array)
{
    return emu_chunked_array_reduce_sum(array, GLOBAL_GRAIN(array->num_elements), s2s_chunk_sum);
}

#endif
