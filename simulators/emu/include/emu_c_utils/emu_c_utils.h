/* The helpers of emu_c_utils that programs use most (runtime.h has what they do). */
#ifndef S2S_EMU_C_UTILS_H
#define S2S_EMU_C_UTILS_H

#include <stdarg.h>
#include <memoryweb/memoryweb.h>
#include <emu_c_utils/hooks.h>

#define LOCAL_GRAIN(n) ((n) > 64 ? (n) / 64 : 1)
#define LOCAL_GRAIN_MIN(n, least) ((n) / 64 > (least) ? (n) / 64 : (least))
#define GLOBAL_GRAIN(n) LOCAL_GRAIN((n) / NODELETS())
#define GLOBAL_GRAIN_MIN(n, least) LOCAL_GRAIN_MIN((n) / NODELETS(), (least))

/* Threads here for [begin, end) in pieces of grain. */
void emu_local_for(long begin, long end, long grain,
                   void (*worker)(long begin, long end, va_list arguments), ...);

void emu_local_for_set_long(long *array, long size, long value);
void emu_local_for_copy_long(long *to, long *from, long size);

/* Threads on all nodelets; a worker takes begin, begin + NODELETS(), ... below end. */
void emu_1d_array_apply(long *array, long size, long grain,
                        void (*worker)(long *array, long begin, long end, va_list arguments), ...);
long emu_1d_array_reduce_sum(long *array, long size, long grain,
                             void (*worker)(long *array, long begin, long end, long *sum,
                                            va_list arguments),
                             ...);
void emu_1d_array_set_long(long *array, long size, long value);

#endif
