/* The type of elements: -DBITS=8, 16 or 32. */
#ifndef PIXELS_H
#define PIXELS_H
#include <stdint.h>

#ifndef BITS
#define BITS 16
#endif
#if BITS == 8
typedef int8_t pixel;
#elif BITS == 16
typedef int16_t pixel;
#else
typedef int32_t pixel;
#endif
#endif
