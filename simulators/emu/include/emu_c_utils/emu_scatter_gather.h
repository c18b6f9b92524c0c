/* Between chunked and local arrays, a thread for each chunk; copies of a replicated array. */
#ifndef S2S_EMU_SCATTER_GATHER_H
#define S2S_EMU_SCATTER_GATHER_H

#include <string.h>
#include <emu_c_utils/emu_chunked_array.h>

static void s2s_chunk_gather(emu_chunked_array *array, long begin, long end, va_list arguments)
{
    char *local = va_arg(arguments, char *);
    long size = array->element_size;
    memcpy(local + begin * size, emu_chunked_array_index(array, begin), (end - begin) * size);
}

static void s2s_chunk_scatter(emu_chunked_array *array, long begin, long end, va_list arguments)
{
    char *local = va_arg(arguments, char *);
    long size = array->element_size;
    memcpy(emu_chunked_array_index(array, begin), local + begin * size, (end - begin) * size);
}

static void emu_chunked_array_to_local(emu_chunked_array *self, void *local)
{
    emu_chunked_array_apply(self, self->num_elements, s2s_chunk_gather, local);
}

static void emu_chunked_array_from_local(emu_chunked_array *self, void *local)
{
    emu_chunked_array_apply(self, self->num_elements, s2s_chunk_scatter, local);
}

/* All copies become that of the first nodelet. */
static void emu_replicated_array_init(long *array, long n)
{
    long *first = mw_get_nth(array, 0);
    for (long k = 1; k < NODELETS(); k++)
        memcpy(mw_get_nth(array, k), first, n * sizeof(long));
}

#endif
