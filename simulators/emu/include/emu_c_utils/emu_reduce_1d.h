/* Sums over a striped array (runtime/helpers.c): a worker adds what it has to its partial sum. */
#ifndef S2S_EMU_REDUCE_1D_H
#define S2S_EMU_REDUCE_1D_H

#include <stdarg.h>
#include <emu_c_utils/emu_grain_helpers.h>

long emu_1d_array_reduce_sum(long *array, long size, long grain,
                             void (*worker)(long *array, long begin, long end, long *sum,
                                            va_list arguments),
                             ...);
long emu_1d_array_reduce_sum_var(long *array, long size, long grain,
                                 void (*worker)(long *array, long begin, long end, long *sum,
                                                va_list arguments),
                                 va_list arguments);

#endif
