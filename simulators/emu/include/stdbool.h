#ifndef S2S_EMU_STDBOOL_H
#define S2S_EMU_STDBOOL_H
#define bool _Bool
#define true 1
#define false 0
#endif
