/* Types and sizes of the convolutions in C. */
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

#ifndef X
#define X 256
#endif
#ifndef Y
#define Y 16
#endif
#ifndef WIDTH
#define WIDTH (X + 8)
#endif
#ifndef COLUMNS
#define COLUMNS 3
#endif
#ifndef ROWS
#define ROWS 3
#endif
#endif
