#include <s2s_x86.h>
