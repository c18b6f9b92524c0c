/* Threads on all nodelets for a striped array (runtime/helpers.c). A worker takes begin,
   begin + NODELETS(), ... below end, which lie on one nodelet. */
#ifndef S2S_EMU_FOR_1D_H
#define S2S_EMU_FOR_1D_H

#include <stdarg.h>
#include <emu_c_utils/emu_grain_helpers.h>

void emu_1d_array_apply(long *array, long size, long grain,
                        void (*worker)(long *array, long begin, long end, va_list arguments), ...);
void emu_1d_array_apply_var(long *array, long size, long grain,
                            void (*worker)(long *array, long begin, long end, va_list arguments),
                            va_list arguments);
void emu_1d_array_set_long(long *array, long size, long value);

#endif
