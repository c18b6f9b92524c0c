/* Where the timed or profiled part of a program begins and ends. */
#ifndef S2S_EMU_TIMING_H
#define S2S_EMU_TIMING_H

enum { PFC_CLEAR, PFC_START, PFC_STOP, PFC_READ };

void starttiming(void);
void stoptiming(void);
void lu_profile_perfcntr(int what, const char *name);

#endif
