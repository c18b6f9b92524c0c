/* The helpers of emu_c_utils that programs use most. */
#ifndef S2S_EMU_C_UTILS_H
#define S2S_EMU_C_UTILS_H

#include <emu_c_utils/emu_chunked_array.h>
#include <emu_c_utils/emu_for_1d.h>
#include <emu_c_utils/emu_for_local.h>
#include <emu_c_utils/emu_grain_helpers.h>
#include <emu_c_utils/emu_reduce_1d.h>
#include <emu_c_utils/emu_scatter_gather.h>
#include <emu_c_utils/emu_sort_local.h>
#include <emu_c_utils/hooks.h>
#include <emu_c_utils/layout.h>

#endif
