#ifndef S2S_EMU_SYS_TYPES_H
#define S2S_EMU_SYS_TYPES_H
#include <stddef.h>
typedef long ssize_t;
typedef long off_t;
#endif
