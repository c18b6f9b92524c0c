/* Arrays and sizes of the kernels; every array of one dimension has LENGTH elements. */
#ifndef POLYSIMD_KERNELS_H
#define POLYSIMD_KERNELS_H

#ifndef LENGTH
#define LENGTH 32000
#endif
#ifndef SIDE
#define SIDE 256
#endif

typedef float real;

#define ALIGNED __attribute__((aligned(64)))

extern ALIGNED real a[LENGTH], b[LENGTH], c[LENGTH], d[LENGTH], e[LENGTH];
extern ALIGNED real aa[SIDE][SIDE], bb[SIDE][SIDE];

/* One sweep of each kernel. */
void s116(void);
void s1244(void);
void s241(void);
void s243(void);
void s244(void);
void s2251(void);
void s252(void);
void s254(void);
void s255(void);
void s257(void);
void s261(void);
void running_example(void);

#endif
