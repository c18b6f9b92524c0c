#ifndef S2S_EMU_TIME_H
#define S2S_EMU_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
#define CLOCKS_PER_SEC 1000000L
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
time_t time(time_t *result);
clock_t clock(void);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
int clock_gettime(int clock, struct timespec *now);
double difftime(time_t end, time_t begin);
#endif
