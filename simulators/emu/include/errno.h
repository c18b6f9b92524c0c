#ifndef S2S_EMU_ERRNO_H
#define S2S_EMU_ERRNO_H
int *__errno_location(void);
#define errno (*__errno_location())
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
#endif
