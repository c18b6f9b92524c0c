/* One unit, so that nothing but names with the prefix s2s_ meets those of the program. */
#include "memory.c"
#include "threads.c"
#include "helpers.c"
#include "report.c"
