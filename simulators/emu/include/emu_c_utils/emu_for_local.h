/* Threads here for [begin, end) in pieces of grain (runtime/helpers.c). */
#ifndef S2S_EMU_FOR_LOCAL_H
#define S2S_EMU_FOR_LOCAL_H

#include <stdarg.h>
#include <emu_c_utils/emu_grain_helpers.h>

void emu_local_for(long begin, long end, long grain,
                   void (*worker)(long begin, long end, va_list arguments), ...);
void emu_local_for_var(long begin, long end, long grain,
                       void (*worker)(long begin, long end, va_list arguments), va_list arguments);
void emu_local_for_set_long(long *array, long size, long value);
void emu_local_for_copy_long(long *to, long *from, long size);

#endif
