#ifndef S2S_EMU_STDDEF_H
#define S2S_EMU_STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
#define NULL ((void *)0)
#endif
