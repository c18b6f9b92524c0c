/* Where the timed part of a program begins. */
#ifndef S2S_EMU_TIMING_H
#define S2S_EMU_TIMING_H

void starttiming(void);

#endif
