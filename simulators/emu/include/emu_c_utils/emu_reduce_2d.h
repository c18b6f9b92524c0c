/* Older name of what is declared there. */
#include <emu_c_utils/emu_chunked_array.h>
