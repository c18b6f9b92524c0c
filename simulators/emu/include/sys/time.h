#ifndef S2S_EMU_SYS_TIME_H
#define S2S_EMU_SYS_TIME_H
#include <time.h>
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
int gettimeofday(struct timeval *time, void *zone);
#endif
