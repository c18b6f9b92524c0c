#ifndef S2S_EMU_ERRNO_H
#define S2S_EMU_ERRNO_H
int *__errno_location(void);
#define errno (*__errno_location())
#endif
