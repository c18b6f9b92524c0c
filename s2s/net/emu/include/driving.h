/* What the harness of a program without a main of its own calls (runtime/driving.c). */
#ifndef S2S_NET_DRIVING_H
#define S2S_NET_DRIVING_H

/* Elements of what is new: as many as a parameter may need, a row, or what a record's list has. */
enum { S2S_ALL, S2S_ROW, S2S_FEW };
/* Values of integers: below the size, offsets that grow, the size itself, small. */
enum { S2S_BELOW, S2S_OFFSETS, S2S_SIZE, S2S_SMALL };

long s2s_drive_size(void);
long s2s_drive_count(int extent);
void *s2s_drive_new(long count, unsigned long size, char kind);
void s2s_drive_region(void *base, unsigned long bytes, char kind);
void s2s_drive_integers(void *first, long count, unsigned long size, int role);
void s2s_drive_numbers(void *first, long count, unsigned long size);
void s2s_drive_parameter(void *place, unsigned long size, int number);
long s2s_drive_below(long end);
void s2s_drive_call(void);
void s2s_drive_result(void *value, unsigned long size, char kind, unsigned long element, char of);

#endif
