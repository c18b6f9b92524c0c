/* The name of the header where the library is not installed in a folder of its own. */
#include <emu_c_utils/emu_c_utils.h>
