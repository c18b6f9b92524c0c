/* Aligned memory beside the intrinsics of x86, for the parser. */
#ifndef S2S_MM_MALLOC_H
#define S2S_MM_MALLOC_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
void *_mm_malloc(size_t, size_t);
void _mm_free(void *);
#ifdef __cplusplus
}
#endif

#endif
